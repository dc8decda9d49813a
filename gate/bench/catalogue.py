"""The controls of the catalogue on emu and host: every op with 10,000 cases of the nightly plan,
none red; every null kernel that applies rejected.

An op's cases are dealt out to its (kernel, column) and drawn under several run seeds; one run of
`gate run` is an op under one of them. Each result is kept in a folder, so that the same command
again goes on where the last one stopped, and --join makes the table.

Usage: catalogue.py [--seconds 480] again until it says "all done", then catalogue.py --join
Writes OUT.json and OUT.md (default gate/bench/results/catalogue).
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "gate" / "test" / "device"))
from machine import Machine, seed_text  # noqa: E402
from measured_on import facts_of_run  # noqa: E402

LABEL = 'corpus = "catalogue"'
NO_EXPECTATION = "--gtest_filter=-*.*/fixed_shape:*.*/expectation"
JOBS = 4   # of one run; an op has few (kernel, column)


def columns_of(toml):
    """The columns of a kernel file: the keys of its [entry]."""
    body = re.search(r"^\[entry\]\n((?:(?!\[).*\n?)*)", toml.read_text(), re.M)
    return re.findall(r"^(\w+)\s*=", body.group(1), re.M) if body else []


def ops():
    """op -> number of its (kernel, column) in the catalogue."""
    counts = {}
    for toml in sorted(ROOT.glob("testcases/*/kernels/*.toml")):
        if LABEL in toml.read_text():
            op = toml.parents[1].name
            counts[op] = counts.get(op, 0) + len(columns_of(toml))
    return counts


class Units:
    """(op, number of the run seed) -> result, kept in a folder."""

    def __init__(self, options):
        self.options = options
        self.counts = ops()
        self.folder = pathlib.Path(options.parts)
        self.folder.mkdir(parents=True, exist_ok=True)

    def all(self):
        return [(op, seed) for seed in range(self.options.seeds) for op in self.counts]

    def file(self, unit):
        return self.folder / f"{unit[0]}-{unit[1]}.json"

    def missing(self):
        return [unit for unit in self.all() if not self.file(unit).exists()]

    def run(self, machine, unit):
        """One run; nothing is kept of one that the clock ended."""
        op, seed = unit
        left = machine.seconds_left()
        if left < 30:
            return unit, "no time left"
        share = -(-self.options.cases // (self.counts[op] * self.options.seeds))
        report = self.folder / f"{op}-{seed}.report"
        started = time.monotonic()
        try:
            run = subprocess.run(
                [str(machine.build / "gate"), "run", str(ROOT / "testcases" / op), "--corpus",
                 "catalogue", "--device", "emu", "--profile", "nightly", "--cases", str(share),
                 "--jobs", str(JOBS), "--run-seed", seed_text(seed), NO_EXPECTATION, "--json",
                 str(report)],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=left)
        except subprocess.TimeoutExpired:
            return unit, "not finished in time"
        if not report.exists():
            return unit, f"exit {run.returncode}: {run.stdout[-300:]}"
        result = digest(json.loads(report.read_text()), run.returncode)
        report.unlink()
        result["seconds"] = round(time.monotonic() - started, 1)
        self.file(unit).write_text(json.dumps(result, indent=1) + "\n")
        return unit, "done"


def digest(report, code):
    return {"exit": code, "run_seed": report["run"]["run_seed"],
            "not_selected": report["not_selected"], "rows": [
                {"kernel": row["kernel"].split("/")[-1], "column": row["column"],
                 "device": row["device"], "class": row["class"], "cases": row["cases"],
                 "largest_ratio": row["largest_ratio"],
                 "findings": [finding["sentence"] for finding in row["findings"]],
                 "nulls": row["coverage"]["null_kernels"]} for row in report["rows"]]}


def join_op(results):
    """One line of the table: an op under all of its run seeds."""
    rows = [row for result in results for row in result["rows"]]
    nulls = {}
    for row in rows:
        for null in row["nulls"]:
            key = (row["kernel"], row["column"], null["name"])
            nulls[key] = nulls.get(key, 0) + null["rejected"]
    return {"kernels": len({row["kernel"] for row in rows}),
            "columns": len({(row["kernel"], row["column"]) for row in rows}),
            "devices": sorted({row["device"] for row in rows}),
            "cases": sum(row["cases"] for row in rows),
            "red": [[row["kernel"], row["column"], text] for row in rows
                    for text in row["findings"]],
            "unchecked": [[row["kernel"], row["column"]] for row in rows
                          if row["class"] == "unchecked"],
            "not_selected": sorted({entry["kernel"] for result in results
                                    for entry in result["not_selected"]}),
            "largest_ratio": max((row["largest_ratio"] or 0 for row in rows), default=0),
            "nulls_rejected": sum(1 for count in nulls.values() if count),
            "nulls_surviving": [list(key) for key, count in nulls.items() if not count]}


def join(units, facts):
    table = {op: join_op([json.loads(units.file((op, seed)).read_text())
                          for seed in range(units.options.seeds)]) for op in units.counts}
    lines = table.values()
    return {**facts, "cases_per_op": units.options.cases, "run_seeds": units.options.seeds,
            "ops": len(table), "kernels": sum(line["kernels"] for line in lines),
            "columns": sum(line["columns"] for line in lines),
            "cases": sum(line["cases"] for line in lines),
            "fewest_cases": min(line["cases"] for line in lines),
            "red": sum(len(line["red"]) for line in lines),
            "unchecked": sum(len(line["unchecked"]) for line in lines),
            "nulls_surviving": sum(len(line["nulls_surviving"]) for line in lines),
            "table": table}


def markdown(result):
    lines = [f"# The catalogue: {result['ops']} ops, {result['kernels']} controls,"
             f" {result['cases']} cases, {result['red']} red", "",
             f"Nightly plan on `emu` and `host`, at least {result['fewest_cases']} cases an op"
             f" under {result['run_seeds']} run seeds (distinct within each),"
             f" {result['unchecked']} rows unchecked, {result['nulls_surviving']} null kernels that"
             f" no case rejected. Commit {result['commit']}, {result['date']}, {result['machine']}."
             " Taken by `gate/bench/catalogue.py`.", "",
             "Largest ratio: error over envelope; a limit is c times the envelope. Null kernels:"
             " outputs that compute nothing, counted per kernel and column where they apply.", "",
             "| op | controls | columns | cases | red | largest ratio | null kernels rejected |"
             " surviving |", "|---|---|---|---|---|---|---|---|"]
    for op, row in result["table"].items():
        lines.append(f"| {op} | {row['kernels']} | {row['columns']} | {row['cases']} |"
                     f" {len(row['red'])} | {row['largest_ratio']:.3g} | {row['nulls_rejected']} |"
                     f" {', '.join(' '.join(one) for one in row['nulls_surviving'])} |")
    return "\n".join(lines) + "\n"


def measure(units, machine):
    processes = max(1, os.cpu_count() // JOBS)
    problems = 0
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        for unit, said in pool.map(lambda unit: units.run(machine, unit), units.missing()):
            if said not in ("done", "no time left"):
                print(f"{unit[0]}, run seed {unit[1]}: {said}")
                problems += said.startswith("exit")
    missing = len(units.missing())
    print(f"{missing} of {len(units.all())} runs are missing: call again" if missing
          else "all done: call with --join")
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--cases", type=int, default=10_000, help="of an op")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--seconds", type=int, default=480)
    parser.add_argument("--parts", default="build/catalogue", help="folder of partial results")
    parser.add_argument("--join", action="store_true")
    parser.add_argument("--out", default="gate/bench/results/catalogue", help="without suffix")
    options = parser.parse_args()
    units = Units(options)
    machine = Machine(options.build, seconds=options.seconds)
    if not options.join:
        return measure(units, machine)
    if units.missing():
        sys.exit(f"missing: {units.missing()[:5]} …")
    result = join(units, facts_of_run(machine, "emu"))
    pathlib.Path(options.out + ".json").write_text(json.dumps(result, indent=1) + "\n")
    pathlib.Path(options.out + ".md").write_text(markdown(result))
    print(f"{result['ops']} ops, {result['cases']} cases, red: {result['red']}, unchecked:"
          f" {result['unchecked']}, null kernels surviving: {result['nulls_surviving']}")
    return 1 if result["red"] or result["unchecked"] or result["nulls_surviving"] else 0


if __name__ == "__main__":
    sys.exit(main())
