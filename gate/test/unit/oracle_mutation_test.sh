#!/bin/bash
# Mutations of our own judging code: each must turn some unit test red. Recompiles one file, links
# it before the library, runs the tests of oracle and search.
# SPDX-License-Identifier: Apache-2.0
set -u
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
link=$(ninja -C "$build" -t commands gate-unit-tests | tail -1)
filter='oracle_*:case_run.*:classify.*:null_kernels.*:fixed_shape.*'

# name | file | sed expression
mutations=$(cat <<'TABLE'
nan_clause_dropped|oracle/element.cpp|s/if (std::isnan(value)) {/if (false) {/
nan_slips_through|oracle/element.cpp|s/if (!(std::abs(got - value) <= limit))/if (std::abs(got - value) > limit)/
limit_exclusive|oracle/comparison.cpp oracle/element.cpp|s/\(std::abs(.*)\) <= \(element\.\)\{0,1\}limit/\1 < \2limit/
tolerance_times_ten|oracle/element.cpp|s/return rule.unit \* (/return 9 * rule.c * envelope + 10 * rule.unit * (/
rounding_doubled|oracle/element.cpp|s/known.unit_roundoff \* (contract.truncating_store ? 2 : 1)/known.unit_roundoff * 2/
underflow_forgotten|oracle/element.cpp|s/: 2 \* known.subnormal_min/: 0/
last_element_skipped|oracle/comparison.cpp|s/i < result.elements; ++i/i + 1 < result.elements; ++i/
got_and_want_swapped|oracle/comparison.cpp|s/state_of(rule, element.got, value, envelope)/state_of(rule, value, element.got, envelope)/
band_dropped|oracle/element.cpp|s/if (magnitude + limit >= rule.overflow_from \&\&/if (false \&\&/
any_infinity|oracle/element.cpp|s/std::isinf(got) \&\& .*;/std::isinf(got);/
unjudgeable_is_a_match|oracle/element.cpp|s/return ElementState::unjudgeable/return ElementState::match/
exact_is_not|oracle/element.cpp|s/rule.exact = .*/rule.exact = false;/
unjudgeable_case_passes|oracle/judge.cpp|s/verdict.unjudgeable == elements/false/
poison_overlooked|oracle/contract.cpp|s/if (!left.elements.empty()) return left;//
device_error_ignored|oracle/judge.cpp|s/if (outcome.end != Kind::pass) {/if (outcome.end == Kind::crash) {/
law_differences_ignored|oracle/laws.cpp|s/if (bitwise) return true;/if (bitwise) return false;/
zero_cases_are_clean|search/classify.cpp|s/ || judged == 0//
grey_is_clean|search/classify.cpp|s/greys > 0 ||//
nan_equals_nan_elsewhere|oracle/fixed_shape.cpp|s/if (std::isnan(candidate) || std::isnan(reference)) return false;/if (std::isnan(candidate)) return true;/
siblings_ignored|search/case_run.cpp|s/if (other.kind != base_kind_) {/if (false) {/
TABLE
)

compile() {  # file, object
  local command
  command=$(grep '"command"' "$build/compile_commands.json" | grep -F -- " -c $root/gate/$1" |
            head -1 | sed -e 's/^ *"command": "//' -e 's/",*$//' -e 's/\\"/"/g')
  (cd "$build" && eval "${command%% -o *} -O0 -w -o $2 -c $work/$1")
}

run() {
  local name=$1 files=$2 expression=$3 objects="" file out=$work/$1.tests
  for file in $files; do
    mkdir -p "$work/$(dirname "$file")"
    sed -e "$expression" "$root/gate/$file" > "$work/$file"
    if cmp -s "$root/gate/$file" "$work/$file"; then echo "$name: does not apply to $file"; return 1; fi
    compile "$file" "$work/$name.$(basename "$file").o" || { echo "$name: does not compile"; return 1; }
    objects="$objects $work/$name.$(basename "$file").o"
  done
  (cd "$build" && eval "$(sed -e "s# -o gate/test/gate-unit-tests#$objects -o $out#" <<< "$link")") ||
    { echo "$name: does not link"; return 1; }
  if "$out" --gtest_filter="$filter" > "$work/log" 2>&1; then echo "$name: survives"; return 1; fi
  grep -q 'FAILED TEST' "$work/log" || { echo "$name: the tests did not run"; return 1; }
  rm -f "$out"
}

survivors=0 count=0
while IFS='|' read -r name files expression; do
  count=$((count + 1))
  run "$name" "$files" "$expression" || survivors=$((survivors + 1))
done <<< "$mutations"
echo "$count mutations, $survivors not caught"
[ "$survivors" -eq 0 ] && [ "$count" -ge 20 ]
