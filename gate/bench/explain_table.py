#!/usr/bin/env python3
# Table of what the gate says of each bug of the paper's corpus beside its true trigger.
# Usage: explain_table.py REPORT.json > results/explain.md, with the report of
#   gate run testcases --corpus paper --ignore-expect --gtest_filter='*buggy*' --json REPORT.json
# SPDX-License-Identifier: Apache-2.0
"""Findings of plain wrong values per kernel and column, with the corpus' own words."""
import json
import statistics
import sys

# The seeded bug and its exact trigger, in the words of the corpus (its rows 4 to 26).
TRIGGERS = {
    "softmax_llm_buggy": "cols % 128 != 0: zeros pad the row to a multiple of 128",
    "softmax_cuda_buggy": "cols is not a power of two: pad lanes hold 0",
    "gelu_cuda_buggy": "factor 0.5 dropped: any x with a result that is not 0",
    "silu_cuda_buggy": "sigmoid(2x): any x of moderate size",
    "rmsnorm_cuda_buggy": "root dropped: mean(x²) other than 1",
    "l2norm_cuda_buggy": "root dropped: row norm other than 1",
    "leaky_relu_cuda_buggy": "slope 0.1: any x < 0",
    "matmul_cuda_buggy": "only the last k survives: k >= 2",
    "attention_cuda_buggy": "1/sqrt(d) dropped: n >= 2 and a row not one-hot",
    "flash_attention_cuda_buggy": "no rescale: n > 32 and the maximum rises after the first tile",
}


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def rows_of(report):
    for row in report["rows"]:
        if row["kernel"] not in TRIGGERS:
            continue
        for finding in row["findings"]:
            if finding["kind"] == "wrong" and finding["property"] == "value":
                yield row, finding
                break


def print_table(report):
    print("| kernel | column | true trigger | the gate says | pattern | shrunk case | shrink |")
    print("|---|---|---|---|---|---|---|")
    for row, finding in rows_of(report):
        pattern = finding["pattern"]
        if finding["pattern_detail"]:
            pattern += ": " + finding["pattern_detail"]
        cells = [row["kernel"], row["column"], TRIGGERS[row["kernel"]],
                 finding["sentence"] + ". " + finding["core"], pattern,
                 "`" + finding["case"] + "`", str(finding["shrink_executions"])]
        print("| " + " | ".join(cell(each) for each in cells) + " |")


def print_counts(report):
    kernels = [row for row in report["rows"] if row["kernel"] in TRIGGERS]
    findings = [finding for row in kernels for finding in row["findings"]]
    shrinks = [finding["shrink_executions"] for finding in findings]
    print(f"\n{len(kernels)} rows (a kernel's column each), {len(findings)} findings; "
          f"executions of shrinking: median {statistics.median(shrinks):g}, "
          f"largest {max(shrinks)}.")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    run = report["run"]
    print("# What the gate says of the ten published bugs\n")
    print("Made by `gate/bench/explain_table.py` from one run"
          f" (run seed {run['run_seed']}, profile {run['profile']}). One line per column: the"
          " finding of wrong plain values.\n")
    print_table(report)
    print_counts(report)


if __name__ == "__main__":
    main()
