// Every fill function of the profile table, by noun: plain draws, structured rows, special values,
// integers. Only the table and their own files include this.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/cases/fill.h"

namespace gate {

std::vector<double> fill_normal(FillRequest& request);
std::vector<double> fill_uniform01(FillRequest& request);
std::vector<double> fill_uniform10(FillRequest& request);
std::vector<double> fill_tiny(FillRequest& request);
std::vector<double> fill_scale_small(FillRequest& request);
std::vector<double> fill_scale_large(FillRequest& request);
std::vector<double> fill_scale_100(FillRequest& request);
std::vector<double> fill_offset10(FillRequest& request);
std::vector<double> fill_offset100(FillRequest& request);
std::vector<double> fill_offset1000(FillRequest& request);
std::vector<double> fill_heavy(FillRequest& request);
std::vector<double> fill_negative(FillRequest& request);
std::vector<double> fill_small_integers(FillRequest& request);
std::vector<double> fill_ties(FillRequest& request);
std::vector<double> fill_signed_zeros(FillRequest& request);
std::vector<double> fill_saturating(FillRequest& request);
std::vector<double> fill_denormal(FillRequest& request);
std::vector<double> fill_huge_magnitude(FillRequest& request);

std::vector<double> fill_cancelling(FillRequest& request);
std::vector<double> fill_impulse(FillRequest& request);
std::vector<double> fill_constant(FillRequest& request);
std::vector<double> fill_zeros(FillRequest& request);
std::vector<double> fill_zero_blocks(FillRequest& request);
std::vector<double> fill_few_distinct(FillRequest& request);
std::vector<double> fill_small_variance(FillRequest& request);
std::vector<double> fill_peaky(FillRequest& request);
std::vector<double> fill_sink(FillRequest& request);
std::vector<double> fill_large_logits(FillRequest& request);
std::vector<double> fill_large_v(FillRequest& request);
std::vector<double> fill_rows_mixed(FillRequest& request);
std::vector<double> fill_boundary(FillRequest& request);

std::vector<double> fill_neg_inf_holes(FillRequest& request);
std::vector<double> fill_nan(FillRequest& request);
std::vector<double> fill_inf(FillRequest& request);

std::vector<std::int64_t> fill_integer_uniform(FillRequest& request);
std::vector<std::int64_t> fill_integer_few(FillRequest& request);
std::vector<std::int64_t> fill_integer_constant(FillRequest& request);
std::vector<std::int64_t> fill_integer_zeros(FillRequest& request);
std::vector<std::int64_t> fill_integer_small(FillRequest& request);
std::vector<std::int64_t> fill_integer_lowest(FillRequest& request);
std::vector<std::int64_t> fill_integer_highest(FillRequest& request);
std::vector<std::int64_t> fill_integer_edges(FillRequest& request);
std::vector<std::int64_t> fill_integer_ramp(FillRequest& request);
std::vector<std::int64_t> fill_integer_density(FillRequest& request);

}  // namespace gate
