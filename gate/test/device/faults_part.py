"""Part `faults`: kernels with one fault each, on cuda. Expected is the kind of their file; where
the device faults, `crash` in place of `out_of_bounds`. A race that nothing slows down has a
rate."""
# SPDX-License-Identifier: Apache-2.0
import pathlib
import tomllib

from machine import rows_of, seed_text

RACE_SEEDS = 20
RACE_CASES = 16
ALIKE = {("out_of_bounds", "crash")}


def expectations():
    """op/kernel -> [expect] of its file."""
    found = {}
    for file in sorted(pathlib.Path("testcases").glob("*/kernels/*.toml")):
        kernel = tomllib.loads(file.read_text())
        if kernel["kernel"].get("corpus") == "faults" and "expect" in kernel:
            found[f"{kernel['kernel']['op']}/{file.stem}"] = kernel["expect"]
    return found


def is_expected(row, expect):
    kind = expect.get("kind")
    if row["class"] != row["expected"]:
        return False
    return kind is None or row["kind"] == kind or (kind, row["kind"]) in ALIKE


def race_rate(machine):
    """Of run seeds whose first cases show the race that no jitter helps along."""
    races = [str(file) for file in sorted(pathlib.Path("testcases").glob("*/kernels/*_race.toml"))]
    if not races:
        return {}
    seen = 0
    for number in range(RACE_SEEDS):
        _, report, _ = machine.gate(*races, "--device", "cuda", "--cases", str(RACE_CASES),
                                    "--run-seed", seed_text(9000 + number))
        seen += int(report is not None and any(row["findings"] for row in report["rows"]))
    return {"race_seeds": RACE_SEEDS, "race_seeds_seen": seen}


def faults(machine, options, _):
    arguments = ["testcases", "--corpus", "faults", "--device", "cuda"]
    if options.filter:
        arguments.append(f"--gtest_filter={options.filter}")
    code, report, seconds = machine.gate(*arguments)
    if report is None:
        return {"fault_rows": None, "fault_reason": f"exit {code}"}
    wanted, table, wrong = expectations(), {}, []
    for (kernel, column), row in rows_of(report).items():
        expect = wanted.get(kernel, {})
        fine = is_expected(row, expect)
        table[f"{kernel} {column}"] = [row["device"], row["class"], row["kind"],
                                       expect.get("kind"), fine]
        if not fine:
            sentence = row["findings"][0]["sentence"] if row["findings"] else None
            wrong.append([kernel, column, row["class"], row["kind"], row["expected"],
                          expect.get("kind"), sentence])
    return {"fault_rows": len(table), "fault_as_expected": len(table) - len(wrong),
            "fault_exit": code, "fault_seconds": round(seconds, 1), "fault_unexpected": wrong,
            "fault_table": table, **race_rate(machine)}
