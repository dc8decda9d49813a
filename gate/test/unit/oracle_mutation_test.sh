#!/bin/bash
# Mutations of our own judging code: each must turn some unit test red. Recompiles one file, links
# it before the library, runs the tests of oracle and search. For a header, what holds its functions
# is recompiled: test files in place of their own objects.
# SPDX-License-Identifier: Apache-2.0
set -u
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
link=$(ninja -C "$build" -t commands gate-unit-tests | tail -1)
filter='oracle_*:case_run.*:classify.*:null_kernels.*:fixed_shape.*'
filter="$filter:Accumulation.*:Sum.*:Mean.*:LayerNorm.*:RmsNorm.*:ExitCode.*:kind.*"
count=0 survivors=0

compile() {  # file, where it lies (mutated, or the tree with mutated headers first), object
  local command
  command=$(grep '"command"' "$build/compile_commands.json" |
            grep -F -- " -c $root/gate/$1" | head -1 |
            sed -e 's/^ *"command": "//' -e 's/",*$//' -e 's/\\"/"/g')
  command=${command%% -o *}
  (cd "$build" && eval "${command/ -I/ -I$work/headers -I} -O0 -w -o $3 -c $2/$1")
}

try() {  # name, expression, files: prints a problem, or nothing where a test caught it
  local name=$1 expression=$2 objects="" file program=$work/$1.tests
  shift 2
  for file in "$@"; do
    mkdir -p "$work/$(dirname "$file")"
    sed -e "$expression" "$root/gate/$file" > "$work/$file"
    cmp -s "$root/gate/$file" "$work/$file" && { echo "does not apply to $file"; return; }
    compile "$file" "$work" "$work/$name.$(basename "$file").o" ||
      { echo "does not compile"; return; }
    objects="$objects $work/$name.$(basename "$file").o"
  done
  judge "${link/ -o test\/gate-unit-tests/$objects -o $program}"
}

judge() {  # link command: prints a problem of the linked tests
  (cd "$build" && eval "$1") || { echo "does not link"; return; }
  "$program" --gtest_filter="$filter" > "$work/log" 2>&1 && { echo "survives"; return; }
  grep -q 'FAILED TEST' "$work/log" || echo "the tests did not run"
  rm -f "$program"
}

try_header() {  # name, expression, header, test file that uses it
  local name=$1 expression=$2 header=$3 file=$4 program=$work/$1.tests
  local object=$work/$1.o own
  mkdir -p "$work/headers/gate/$(dirname "$header")"
  sed -e "$expression" "$root/gate/$header" > "$work/headers/gate/$header"
  cmp -s "$root/gate/$header" "$work/headers/gate/$header" &&
    { echo "does not apply to $header"; return; }
  compile "$file" "$root/gate" "$object" || { echo "does not compile"; return; }
  rm -r "$work/headers"
  own=$(grep -o "[^ ]*$(basename "$file").o" <<< "$link") || { echo "is not linked"; return; }
  judge "$(sed -e "s| $own | $object |" -e "s| -o test/gate-unit-tests| -o $program|" <<< "$link")"
}

mutation() { count_problem "$1" "$(try "$@")"; }
header_mutation() { count_problem "$1" "$(try_header "$@")"; }

count_problem() {  # name, problem
  local problem=$2
  count=$((count + 1))
  [ -z "$problem" ] && return
  survivors=$((survivors + 1))
  echo "$1: $problem"
}

element=oracle/element.cpp comparison=oracle/comparison.cpp
mutation nan_clause_dropped 's/if (std::isnan(value)) {/if (false) {/' $element
mutation nan_slips_through \
  's/if (!(std::abs(got - value) <= limit))/if (std::abs(got - value) > limit)/' $element
mutation limit_exclusive \
  's/\(std::abs(.*)\) <= \(element\.\)\{0,1\}limit/\1 < \2limit/' $comparison $element
mutation tolerance_times_ten \
  's/return rule.unit \* (/return 9 * widened + 10 * rule.unit * (/' $element
mutation rounding_doubled \
  's/known.unit_roundoff \* (contract.truncating_store ? 2 : 1)/known.unit_roundoff * 2/' $element
mutation underflow_forgotten 's/: 2 \* known.subnormal_min/: 0/' $element
mutation last_element_skipped \
  's/i < result.elements; ++i/i + 1 < result.elements; ++i/' $comparison
mutation got_and_want_swapped \
  's/(rule, element.got, value, envelope)/(rule, value, element.got, envelope)/' $comparison
mutation band_dropped \
  's/if (magnitude + limit >= rule.overflow_from \&\&/if (false \&\&/' $element
mutation any_infinity 's/std::isinf(got) \&\& .*;/std::isinf(got);/' $element
mutation unjudgeable_is_a_match \
  's/return ElementState::unjudgeable/return ElementState::match/' $element
mutation exact_is_not 's/rule.exact = .*/rule.exact = false;/' $element
mutation unjudgeable_case_passes 's/verdict.unjudgeable == elements/false/' oracle/judge.cpp
mutation poison_overlooked 's/if (!left.elements.empty()) return left;//' oracle/contract.cpp
mutation device_error_ignored \
  's/if (outcome.end != Kind::pass) {/if (outcome.end == Kind::crash) {/' oracle/judge.cpp
mutation law_differences_ignored \
  's/if (bitwise) return true;/if (bitwise) return false;/' oracle/laws.cpp
mutation zero_cases_are_clean 's/ || judged == 0//' search/classify.cpp
mutation grey_is_clean 's/greys > 0 ||//' search/classify.cpp
mutation nan_accepted_by_fixed_shape \
  's/if (std::isnan(candidate) .*/if (std::isnan(candidate)) return true;/' oracle/fixed_shape.cpp
mutation siblings_ignored 's/if (other.kind != base_kind_) {/if (false) {/' search/case_run.cpp
mutation unsupported_passes \
  's/^Colour colour(Kind kind) {/&\n  if (kind == Kind::unsupported) return Colour::green;/' \
  spec/kind.cpp
header_mutation envelope_not_scaled_with_n \
  's/return terms <= 0 ? 0 : std::min(terms, 6 \* std::sqrt(terms)) \*/return (terms > 0) */' \
  reference/arithmetic.h test/unit/reductions_test.cpp

echo "$count mutations, $survivors not caught"
[ "$survivors" -eq 0 ] && [ "$count" -eq 22 ]
