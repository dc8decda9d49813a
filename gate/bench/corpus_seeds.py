"""The paper's corpus under many run seeds on one device, run seeds side by side.

Rows: full `pr` plans; kernels as expected, and whether all run seeds agree on every row.
First findings: of each bug, how many plan entries it takes (`gate study --part default_plan`).

Usage: corpus_seeds.py --device emu --row-seeds 20 --seeds 100 --jobs 8
       With --time-limit S it may end with 4: the same command goes on with the first findings.
Writes OUT.json and OUT.md (default gate/bench/results/detection_DEVICE).
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "gate" / "test" / "device"))
from machine import Machine, kernels_as_expected, rows_of, seed_text, unexpected  # noqa: E402
from measured_on import facts_of_run  # noqa: E402

ENTRIES = 16


def in_parallel(jobs, work, numbers):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(work, numbers)


def first_findings(machine, options):
    """How often, and how soon, each bug is found within the first entries of its plan: the part
    `default_plan` of the study, which neither shrinks nor confirms."""
    folder = pathlib.Path(options.units)
    command = [str(machine.build / "gate"), "study", "testcases", "--part", "default_plan",
               "--corpus", options.corpus, "--device", options.device, "--seeds",
               str(options.seeds), "--out", str(folder)]
    if options.time_limit:
        command += ["--time-limit", str(options.time_limit)]
    code = subprocess.run(command).returncode
    if code != 0:
        sys.exit(code)
    part = json.loads((folder / "parts" / "default_plan.json").read_text())
    raw = [json.loads(line)
           for line in (folder / "raw" / "default_plan.jsonl").read_text().splitlines()]
    return {"entries": ENTRIES, "seeds": options.seeds, "run_seed": part["manifest"]["run_seed"],
            "missed": [[number, row["kernel"], row["column"]] for row in raw
                       for number, first in enumerate(row["first_red"]) if first == 0],
            "found": [{"kernel": row["kernel"], "column": row["column"],
                       "found": sum(first > 0 for first in row["first_red"]),
                       "median": statistics.median_low(
                           [first for first in row["first_red"] if first > 0] or [0]),
                       "largest": max(row["first_red"])} for row in raw]}


def full_rows(machine, options):
    """Whole plans: as expected or not, and rows on which run seeds disagree."""
    def run(number):
        code, report, seconds = machine.gate(
            "testcases", "--corpus", options.corpus, "--device", options.device, "--jobs",
            str(max(1, (os.cpu_count() or 1) // options.jobs)), "--run-seed", seed_text(number))
        print(f"rows, seed {number}: exit {code}, {seconds:.1f} s", flush=True)
        return number, code, report, seconds

    seeds, classes = {}, {}
    for number, code, report, seconds in in_parallel(options.jobs, run, range(options.row_seeds)):
        if report is None:
            sys.exit(f"seed {seed_text(number)}: gate run ended with {code}")
        total, fine = kernels_as_expected(report)
        seeds[seed_text(number)] = {"exit": code, "kernels": total, "as_expected": fine,
                                    "cases": sum(row["cases"] for row in report["rows"]),
                                    "seconds": round(seconds, 1),
                                    "unexpected": unexpected(report)}
        for key, row in rows_of(report).items():
            classes.setdefault(" ".join(key), {}).setdefault(row["class"], 0)
            classes[" ".join(key)][row["class"]] += 1
    return {"seeds": seeds, "rows": len(classes),
            "disagreements": {key: seen for key, seen in classes.items() if len(seen) > 1}}


def markdown(result):
    first, rows = result["first_findings"], result["rows"]
    lines = [f"# The corpus under many run seeds on `{result['device']}`", "",
             f"Commit {result['commit']}, {result['date']}, {result['machine']}. Taken by"
             " `gate/bench/corpus_seeds.py`.", ""]
    if rows["seeds"]:
        fine = [f"{s['as_expected']} of {s['kernels']}"
                for s in rows["seeds"].values()]
        lines += [f"Whole `pr` plans, {len(fine)} run seeds: kernels as expected (least)"
                  f" {min(fine)}; rows on which run seeds disagree: {len(rows['disagreements'])}"
                  f" of {rows['rows']}.", ""]
    lines += [f"Found within the plan's first {first['entries']} cases, {first['seeds']} run"
              " seeds:", "", "| kernel | column | found in | median case | largest |",
              "|---|---|---|---|---|"]
    lines += [f"| {row['kernel']} | {row['column']} | {row['found']} of {first['seeds']} |"
              f" {row['median']} | {row['largest']} |" for row in first["found"]]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--device", default="emu")
    parser.add_argument("--corpus", default="paper")
    parser.add_argument("--seeds", type=int, default=100, help="of first findings")
    parser.add_argument("--row-seeds", type=int, default=20, help="of whole plans")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="run seeds at a time")
    parser.add_argument("--out", default=None, help="without suffix")
    parser.add_argument("--units", default="build/corpus_seeds", help="where units are kept")
    parser.add_argument("--time-limit", type=int, default=0, help="seconds of first findings")
    options = parser.parse_args()
    machine = Machine(options.build, seconds=24 * 3600)
    result = {**facts_of_run(machine, options.device), "corpus": options.corpus,
              "first_findings": first_findings(machine, options),
              "rows": full_rows(machine, options)}
    out = options.out or f"gate/bench/results/detection_{options.device}"
    pathlib.Path(out + ".json").write_text(json.dumps(result, indent=1) + "\n")
    pathlib.Path(out + ".md").write_text(markdown(result))
    print(markdown(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
