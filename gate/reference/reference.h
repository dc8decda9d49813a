// What a testcases/<op>/reference.cpp is written against, and how the gate calls it.
//
//   #include "gate/reference/reference.h"
//   namespace {
//   template <class S>
//   void reference(const gate::Context<S>& c) {
//     const auto x = c.input("x");
//     const auto y = c.output("y");
//     for (long i = 0; i < x.size(); ++i) y[i] = x[i] / (S(1) + gate::exp(-x[i]));
//   }
//   }
//
// Elements: x(r, i) by index, x[i] by number, x.row(r) and x.along(dimension, i, j) as rows for the
// primitives sum, dot, mean, moments, rms_scale, l2_scale, softmax, log_softmax, attention.
// Functions are gate::exp, gate::tanh …; branches on computed values are
// gate::select(gate::less(…)). The function is instantiated with `double` and with `Tracked`; a
// generated glue file per op includes it and defines its row in the table of references (or a
// plug-in's entry points). SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/reference/attention.h"
#include "gate/reference/context.h"
#include "gate/reference/expected.h"
#include "gate/reference/reductions.h"
#include "gate/reference/softmax.h"
