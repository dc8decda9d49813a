"""README's table of what fixed-shape checks say of each row of the paper's corpus, generated from
the study's measurement.

Usage: fixed_shape_table.py [--check]
Without --check the README is rewritten between its two markers; with it, a README that differs
from the measurement ends with 1.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
STUDY = ROOT / "gate/bench/results/study.json"
BEGIN, END = "<!-- fixed-shape table: generated -->", "<!-- fixed-shape table: end -->"
RULES = {"kernelbench": "KernelBench", "kernelbench_v0": "KernelBench v0",
         "tritonbench": "TritonBench", "geak": "GEAK", "assert_close": "assert_close",
         "paper": "the paper's"}


def cell(rows, rule):
    """What a rule says in every column of one kernel; by values where they do not agree."""
    passed = {}
    for row in rows:
        for name, verdict in row["rules"].items():
            of, values = name.split(" ")
            if of == rule:
                passed.setdefault(values, []).append(verdict["passed"])
    words = {values: "pass" if all(said) else "fail" if not any(said) else "some columns pass"
             for values, said in passed.items()}
    if len(set(words.values())) == 1:
        return next(iter(words.values()))
    return ", ".join(f"{values} {word}" for values, word in words.items())


def block(study):
    kernels = {}
    for row in study["fixed_shape"]["rows"]:
        kernels.setdefault((row["kernel"], row["buggy"]), []).append(row)
    lines = [BEGIN, "", "| kernel | wrong | " + " | ".join(RULES.values()) + " | illusion |",
             "|---|---|" + "---|" * len(RULES) + "---|"]
    illusions = []
    for (kernel, buggy), rows in sorted(kernels.items(), key=lambda one: (not one[0][1], one[0])):
        through = buggy and all(row["illusion_rule_passed"] for row in rows)
        if through:
            illusions.append(kernel)
        lines.append(f"| {kernel} | {'yes' if buggy else 'no'} | "
                     + " | ".join(cell(rows, rule) for rule in RULES)
                     + f" | {'yes' if through else ''} |")
    buggy = sum(wrong for _, wrong in kernels)
    manifest = study["manifest"]["fixed_shape"]
    lines += ["", f"Measured on `{manifest['device']}` at commit {manifest['revision']}, at each"
              f" op's fixed shape, in every column. By this measurement only {len(illusions)} of"
              " the"
              f" {buggy} published bugs are illusions ({', '.join(sorted(illusions))}): the other"
              f" {buggy - len(illusions)} fail the usual check, and the gate calls them defects.",
              "", END]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = README.read_text()
    before, rest = text.split(BEGIN)
    wanted = before + block(json.loads(STUDY.read_text())) + rest.split(END)[1]
    if options.check:
        if wanted != text:
            print("README.md: its table of fixed-shape checks is stale;"
                  " gate/bench/fixed_shape_table.py writes it")
        return int(wanted != text)
    README.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
