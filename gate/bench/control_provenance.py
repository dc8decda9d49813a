"""Writes what the control cases of acceptance.py (part `controls`) showed into the provenance of
tolerances/<op>.toml: the largest ratio that a correct kernel needed per column, how many cases,
kernels and devices, the date. `c` and `origin` stay as they are.

Usage: control_provenance.py [--results gate/bench/results/cuda.json] [--check]
--check writes nothing and ends with 1 if a file would change.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import json
import math
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
WRITTEN = ("largest_ratio", "cases", "kernels", "devices", "date", "reason")


def controls():
    """(op, column) -> {kernel: its source} of the paper's controls, as part `controls` runs."""
    found = {}
    for file in sorted((ROOT / "testcases").glob("*/kernels/*.toml")):
        kernel = tomllib.loads(file.read_text())
        if kernel["kernel"].get("corpus") != "paper" or "_buggy" in file.stem:
            continue
        for column in kernel["entry"]:
            found.setdefault((kernel["kernel"]["op"], column), {})[file.stem] = kernel["kernel"][
                "source"]
    return found


def provenance(results, kernels, ratio, share):
    """Keys of one row. C++ stand-ins run on `host` whatever the device."""
    devices = {"host" if source.endswith(".cpp") else results["device"]
               for source in kernels.values()}
    return {"largest_ratio": math.ceil(ratio * 1e4) / 1e4, "cases": share * len(kernels),
            "kernels": sorted(kernels), "devices": sorted(devices), "date": results["date"],
            "reason": "measured at the default c: nightly plan, gate/bench/results/cuda.json"}


def toml_value(value):
    return json.dumps(value)   # strings, numbers and lists of strings are written alike


def with_row(text, column, row):
    """The file with this row's keys below `origin` of its column."""
    lines, inside, out = text.splitlines(), False, []
    for line in lines:
        if line.startswith("["):
            inside = line == f"[{column}]"
        key = re.match(r"(\w+) *=", line)
        if inside and key and key[1] in WRITTEN:
            continue
        out.append(line)
        if inside and key and key[1] == "origin":
            out += [f"{name} = {toml_value(value)}" for name, value in row.items()]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--results", default=str(ROOT / "gate/bench/results/cuda.json"))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    results = json.loads(pathlib.Path(options.results).read_text())
    found = controls()
    ratios = {tuple(key.split(" ")): ratio
              for key, ratio in results["control_largest_ratio"].items()}
    share, rest = divmod(results["control_cases"], sum(map(len, found.values())))
    if rest or set(ratios) != set(found):
        sys.exit("these results are of other controls than testcases/ has: take part `controls`"
                 " again")
    changed = []
    for op in sorted({op for op, _ in found}):
        file = ROOT / "tolerances" / f"{op}.toml"
        text = file.read_text()
        table = tomllib.loads(text)
        for (of, column), kernels in found.items():
            row = table.get(column, {})
            if of != op or row.get("exact") or row.get("origin") != "default":
                continue
            if ratios[of, column] > row["c"]:
                sys.exit(f"{op} {column}: a control needs {ratios[of, column]}, c is {row['c']}")
            text = with_row(text, column, provenance(results, kernels, ratios[of, column], share))
        if text != file.read_text():
            changed.append(file.name)
            if not options.check:
                file.write_text(text)
    print(f"{len(changed)} files {'differ' if options.check else 'written'}:", *changed)
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
