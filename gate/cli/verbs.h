// One function per verb; each is in the file of its name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gate {

struct Invocation;

int run_verb(const Invocation& invocation);
int replay_verb(const Invocation& invocation);
int list_verb(const Invocation& invocation);
int schema_verb(const Invocation& invocation);
int init_verb(const Invocation& invocation);
int seeds_verb(const Invocation& invocation);
int study_verb(const Invocation& invocation);
int tolerances_verb(const Invocation& invocation);
int calibrate_verb(const Invocation& invocation);
int merge_verb(const Invocation& invocation);
int render_verb(const Invocation& invocation);
int publish_verb(const Invocation& invocation);
int doctor_verb(const Invocation& invocation);

}  // namespace gate
