"""The paper's corpus under many run seeds on one device, run seeds side by side.

Rows: full `pr` plans; kernels as expected, and whether all run seeds agree on every row.
First findings: of each bug, how many plan entries it takes. For these, findings are neither shrunk
nor confirmed (a gate.toml of our own says so), the plans and verdicts are those of the corpus.

Usage: corpus_seeds.py --device emu --row-seeds 20 --seeds 100 --jobs 8
Writes OUT.json and OUT.md (default gate/bench/results/detection_DEVICE).
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "gate" / "test" / "device"))
from machine import Machine, kernels_as_expected, rows_of, seed_text, unexpected  # noqa: E402
from measured_on import facts_of_run  # noqa: E402

ENTRIES = 16
RED = ("illusion", "defect")
QUICK = """[profiles.pr]
shrink_executions = 0
confirm_runs = 1
"""


def expected_red(kernel_toml):
    """Columns of a kernel whose bug is to be found."""
    spec = tomllib.loads(kernel_toml.read_text())
    expect = spec.get("expect", {})
    return [column for column in spec["entry"]
            if {**expect, **expect.get(column, {})}.get("class") in RED]


def buggy_rows(label):
    """(op/kernel, column) of every bug of a corpus, by its committed expectations."""
    rows = []
    for file in sorted((ROOT / "testcases").glob("*/kernels/*.toml")):
        if tomllib.loads(file.read_text())["kernel"].get("corpus") == label:
            op = file.parents[1].name
            rows += [(f"{op}/{file.stem}", column) for column in expected_red(file)]
    return rows


def quick_tree(folder, label):
    """The bugs alone, with their ops and tolerances, under a gate.toml that does not shrink."""
    folder = pathlib.Path(folder)
    (folder / "gate.toml").write_text(QUICK)
    shutil.copytree(ROOT / "tolerances", folder / "tolerances")
    for op, kernel in sorted({tuple(kernel.split("/")) for kernel, _ in buggy_rows(label)}):
        from_op, to_op = ROOT / "testcases" / op, folder / "testcases" / op
        (to_op / "kernels").mkdir(parents=True, exist_ok=True)
        for file in [*from_op.glob("*.*"), *from_op.glob(f"kernels/{kernel}.*")]:
            shutil.copy(file, to_op / file.relative_to(from_op))
    return folder / "testcases"


def in_parallel(jobs, work, numbers):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(work, numbers)


def first_findings(machine, options):
    """How often, and how soon, each bug is found within the first entries of its plan."""
    wanted = buggy_rows(options.corpus)
    found = {key: [] for key in wanted}
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        tree = quick_tree(folder, options.corpus)

        def run(number):
            code, report, seconds = machine.gate(
                str(tree), "--corpus", options.corpus, "--device", options.device, "--cases",
                str(ENTRIES), "--jobs", "1", "--ignore-expect", "--run-seed",
                seed_text(1000 + number))
            if report is None:
                sys.exit(f"seed {seed_text(1000 + number)}: gate run ended with {code}")
            print(f"first findings, seed {number}: exit {code}, {seconds:.1f} s", flush=True)
            return number, report

        for number, report in in_parallel(options.jobs, run, range(options.seeds)):
            rows = rows_of(report)
            for key in wanted:
                first = rows[key]["cases_to_first_finding"]
                if first is not None and 0 < first <= ENTRIES:
                    found[key].append(first)
                else:
                    missed.append([seed_text(1000 + number), *key])
    return {"entries": ENTRIES, "seeds": options.seeds, "missed": missed,
            "found": [{"kernel": kernel, "column": column, "found": len(firsts),
                       "median": statistics.median(firsts) if firsts else None,
                       "largest": max(firsts, default=None)}
                      for (kernel, column), firsts in found.items()]}


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
