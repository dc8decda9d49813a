"""Distinct cases of the nightly plan on the controls of a corpus: nothing may be red.

Every control and column gets the same number of cases, which its plan deals out in equal shares
to the applicable strategies (`huge`: 10). The journals of the run say what the cases were: axes,
value profiles, layouts.

Usage: controls.py --device emu --cases 100000 --jobs 16
Writes OUT.json and OUT.md (default gate/bench/results/controls_DEVICE).
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import collections
import json
import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "gate" / "test" / "device"))
from machine import Machine, rows_of  # noqa: E402
from measured_on import facts_of_run  # noqa: E402

NO_BUG = "--gtest_filter=-*_buggy*:*.*/fixed_shape:*.*/expectation"


def columns_of(machine, options):
    """How many (kernel, column) the filter leaves."""
    code, report, _ = machine.gate("testcases", "--corpus", options.corpus, "--device",
                                   options.device, "--cases", "1", NO_BUG)
    if report is None or not report["rows"]:
        sys.exit(f"nothing ran: exit {code}")
    return len(report["rows"])


class Histogram:
    """Counts of what the journalled cases were; a case is counted once, not once a schedule."""

    def __init__(self):
        self.cases = 0
        self.axes = collections.defaultdict(collections.Counter)
        self.profiles = collections.Counter()
        self.layouts = collections.Counter()
        self.properties = collections.Counter()

    def add_file(self, file):
        for line in {re.sub(r" schedule=.*$", "", line)
                     for line in file.read_text().splitlines()}:
            self.add(line)

    def add(self, line):
        self.cases += 1
        target, what, *choices = line.split(" ")
        self.properties[what] += 1
        for choice in choices:
            name, _, value = choice.partition("=")
            if value.isdigit():
                size = int(value)
                low = 1 << (size.bit_length() - 1) if size else 0
                bucket = str(size) if size <= 3 or size == low else f"{low + 1}-{2 * low - 1}"
                self.axes[name][bucket] += 1
            elif match := re.match(r"([a-z_]+)[^,]*(?:,([a-z0-9_]+)@)?", value):
                if name not in ("key",) and "," in value:
                    self.layouts[match.group(1)] += 1
                    self.profiles[match.group(2)] += 1

    def value(self):
        def ordered(counter):
            return dict(sorted(counter.items(), key=lambda item: (bucket_start(item[0]), item[0])))
        return {"journalled_cases": self.cases, "properties": dict(self.properties.most_common()),
                "profiles": dict(self.profiles.most_common()),
                "layouts": dict(self.layouts.most_common()),
                "axes": {name: ordered(counts) for name, counts in sorted(self.axes.items())}}


def bucket_start(bucket):
    return int(bucket.split("-")[0]) if bucket[0].isdigit() else 0


def measure(machine, options):
    columns = columns_of(machine, options)
    share = -(-options.cases // columns)
    with tempfile.TemporaryDirectory() as journals:
        code, report, seconds = machine.gate(
            "testcases", "--corpus", options.corpus, "--device", options.device, "--profile",
            "nightly", "--cases", str(share), "--jobs", str(options.jobs), "--journals", journals,
            *(["--run-seed", options.run_seed] if options.run_seed else []), NO_BUG)
        if report is None:
            sys.exit(f"no report: exit {code}")
        histogram = Histogram()
        for file in sorted(pathlib.Path(journals).iterdir()):
            histogram.add_file(file)
    rows = rows_of(report)
    return {"exit": code, "seconds": round(seconds, 1), "run_seed": report["run"]["run_seed"],
            "columns": columns, "share": share,
            "cases": sum(row["cases"] for row in rows.values()),
            "red": [[*key, row["kind"], row["findings"]] for key, row in rows.items()
                    if row["findings"]],
            "unchecked": [list(key) for key, row in rows.items() if row["class"] == "unchecked"],
            "shares": {" ".join(key): row["strategies"] for key, row in rows.items()},
            "largest_ratio": {" ".join(key): row["largest_ratio"] for key, row in rows.items()},
            "histogram": histogram.value()}


def table(title, counts):
    return [f"| {title} | cases |", "|---|---|", *[f"| {k} | {v} |" for k, v in counts.items()], ""]


def markdown(result):
    lines = [f"# Controls of the corpus on `{result['device']}`: {result['cases']} distinct cases,"
             f" {len(result['red'])} rows red", "",
             f"Nightly plan, {result['columns']} (kernel, column) with {result['share']} cases"
             f" each, run seed {result['run_seed']}, {result['seconds']} s. Commit"
             f" {result['commit']}, {result['date']}, {result['machine']}."
              " Taken by `gate/bench/controls.py`.", "",
             "## Shares", ""]
    strategies = sorted({name for share in result["shares"].values() for name in share})
    lines += ["| kernel, column | " + " | ".join(strategies) + " |",
              "|---" * (len(strategies) + 1) + "|"]
    lines += [f"| {key} | " + " | ".join(str(share.get(name, "")) for name in strategies) + " |"
              for key, share in result["shares"].items()]
    lines += ["", "## What the cases were", ""]
    histogram = result["histogram"]
    lines += table("property", histogram["properties"]) + table("profile", histogram["profiles"])
    lines += table("layout", histogram["layouts"])
    for name, counts in histogram["axes"].items():
        lines += table(f"axis {name}", counts)
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--device", default="emu")
    parser.add_argument("--corpus", default="paper")
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--run-seed", default=None)
    parser.add_argument("--out", default=None, help="without suffix")
    options = parser.parse_args()
    machine = Machine(options.build, seconds=24 * 3600)
    result = {**facts_of_run(machine, options.device), "corpus": options.corpus,
              **measure(machine, options)}
    out = options.out or f"gate/bench/results/controls_{options.device}"
    pathlib.Path(out + ".json").write_text(json.dumps(result, indent=1) + "\n")
    pathlib.Path(out + ".md").write_text(markdown(result))
    print(f"{result['cases']} cases, red: {result['red']}, unchecked: {result['unchecked']},"
          f" {result['seconds']} s")
    return 1 if result["red"] or result["unchecked"] else 0


if __name__ == "__main__":
    sys.exit(main())
