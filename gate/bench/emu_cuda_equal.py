"""Verdicts of the paper's corpus on two devices, row by row, under many run seeds.

Each device is a lane of its own and walks through the run seeds with its share of the cores; rows
of C++ stand-ins run on `host` in both. A row is equal where class, kind and the kinds of its
findings are. A call does as many run seeds as fit into --seconds; the next one of the same commit
goes on from there, another commit begins anew.

Usage: emu_cuda_equal.py [--seeds 1-20] [--seconds 500] [--devices cuda,emu] [--jobs 10,6]
                         [--build build/release] [--out gate/bench/results/emu_cuda_equal]
Writes OUT.json and OUT.md; ends with 1 if rows differ or one is not as expected, with 4 if run
seeds are left.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "gate" / "test" / "device"))
from machine import Machine, kernels_as_expected, rows_of, seed_text, unexpected  # noqa: E402
from measured_on import facts_of_run  # noqa: E402

SECONDS_MAX = 500          # a run that was begun may take a minute longer
SEEDS = "1-20"
FIRST_RUN_SECONDS = 60     # a guess, until a lane has finished a run
SPARE = 1.3                # of its longest run, a lane wants left before it begins another


def numbers_of(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def lanes_of(devices, jobs):
    """Name, device and jobs of each lane; the same device twice is told apart by its name."""
    cores = os.cpu_count() or 1
    shares = [int(share) for share in jobs.split(",")] if jobs else []
    lanes = []
    for i, device in enumerate(devices.split(",")):
        name = device if all(device != lane[1] for lane in lanes) else f"{device} again"
        share = shares[i] if i < len(shares) else max(1, cores // len(devices.split(",")))
        lanes.append((name, device, share))
    return lanes


def verdicts(report):
    """row -> [device, class, kind, kinds of its findings]."""
    return {" ".join(key): [row["device"], row["class"], row["kind"],
                            sorted({finding["kind"] for finding in row["findings"]})]
            for key, row in rows_of(report).items()}


def differing(first, second):
    """Rows whose class, kind or kinds of findings differ, with what each lane says."""
    names = sorted(set(first) | set(second))
    return [[name, first.get(name), second.get(name)] for name in names
            if first.get(name, [])[1:] != second.get(name, [])[1:]]


class Taking:
    """Lanes at work on one result; `save` is called after every run."""

    def __init__(self, machine, cases, result, save):
        self.machine, self.cases = machine, cases
        self.result, self.save = result, save
        self.lock = threading.Lock()

    def run(self, number, lane):
        _, device, jobs = lane
        return self.machine.gate(
            "testcases", "--corpus", "paper", "--device", device, "--jobs", str(jobs),
            "--run-seed", seed_text(number), *(["--cases", str(self.cases)] if self.cases else []))

    def take(self, numbers, lane):
        longest = FIRST_RUN_SECONDS if self.machine.seconds < 2 * SECONDS_MAX else 0
        for number in numbers:
            seed = self.result["seeds"].setdefault(str(number), {"run_seed": seed_text(number)})
            if lane[0] in seed:
                continue
            if self.machine.seconds_left() < SPARE * longest:
                return
            try:
                code, report, seconds = self.run(number, lane)
            except subprocess.TimeoutExpired:   # a cold build cache, say; it is warmer next time
                self.result["problem"] = f"no time left for a run on {lane[1]}: call again"
                return
            print(f"run seed {number} on {lane[0]}: exit {code}, {seconds:.1f} s", flush=True)
            if report is None or not report["rows"]:
                with self.lock:
                    self.result["problem"] = f"gate run on {lane[1]} ended with {code}"
                return
            longest = max(seconds, longest if longest != FIRST_RUN_SECONDS else 0)
            with self.lock:
                self.add(seed, lane[0], code, report, seconds)
                self.save(self.result)

    def add(self, seed, name, code, report, seconds):
        rows, fine = kernels_as_expected(report)
        seed[name] = {"exit": code, "seconds": round(seconds, 1), "kernels": rows,
                      "as_expected": fine, "unexpected": unexpected(report),
                      "verdicts": verdicts(report)}
        tables = [seed[lane]["verdicts"] for lane in self.result["lanes"] if lane in seed]
        if len(tables) == 2:
            seed["rows"] = len(set(tables[0]) | set(tables[1]))
            seed["differing"] = differing(*tables)
            for lane in self.result["lanes"]:   # what is equal is said once, by the count
                del seed[lane]["verdicts"]


def take(machine, options, result, save):
    """Adds what fits into the machine's seconds to `result`; figures of all that is there."""
    lanes = lanes_of(options.devices, options.jobs)
    if result.get("lanes") != [lane[0] for lane in lanes] or result.get("cases") != options.cases:
        result.clear()
    result.update({"lanes": [lane[0] for lane in lanes], "cases": options.cases})
    result.setdefault("seeds", {})
    result.pop("problem", None)
    taking = Taking(machine, options.cases, result, save)
    numbers = numbers_of(options.seeds)
    for number in numbers:   # lanes find every entry there
        result["seeds"].setdefault(str(number), {"run_seed": seed_text(number)})
    with concurrent.futures.ThreadPoolExecutor(len(lanes)) as pool:
        list(pool.map(lambda lane: taking.take(numbers, lane), lanes))
    result["figures"] = figures(result)
    save(result)
    return result


def figures(result):
    seeds = result["seeds"].values()
    compared = [seed for seed in seeds if "differing" in seed]
    lanes = {}
    for lane in result["lanes"]:
        runs = [seed[lane] for seed in seeds if lane in seed]
        lanes[lane] = {"run_seeds": len(runs),
                       "kernels": min((run["kernels"] for run in runs), default=None),
                       "as_expected": min((run["as_expected"] for run in runs), default=None),
                       "seconds": [run["seconds"] for run in runs]}
    return {"run_seeds_compared": len(compared), "run_seeds_wanted": len(seeds),
            "rows_compared": sum(seed["rows"] for seed in compared),
            "rows_differing": sum(len(seed["differing"]) for seed in compared), "lanes": lanes}


def markdown(result):
    found = result["figures"]
    first, second = result["lanes"]
    lines = [f"# Verdicts of the paper's corpus on `{first}` and `{second}`", "",
             f"Commit {result['commit']}, {result['date']}, {result['device_name']},"
             f" {result['machine']}. Taken by `gate/bench/emu_cuda_equal.py`.", "",
             f"Run seeds compared: {found['run_seeds_compared']} of {found['run_seeds_wanted']}."
             f" Rows compared: {found['rows_compared']}; differing in class, kind or kinds of"
             f" findings: {found['rows_differing']}.", "",
             "| lane | run seeds | kernels as expected (least) | seconds a run |",
             "|---|---|---|---|"]
    for lane, of in found["lanes"].items():
        seconds = f"{min(of['seconds'])} to {max(of['seconds'])}" if of["seconds"] else ""
        lines.append(f"| {lane} | {of['run_seeds']} | {of['as_expected']} of {of['kernels']} |"
                     f" {seconds} |")
    lines += ["", f"| run seed | {first}: exit, as expected | {second}: exit, as expected |"
                  " rows | differing |", "|---|---|---|---|---|"]
    for number, seed in result["seeds"].items():
        if "differing" not in seed:
            continue
        said = [f"{seed[lane]['exit']}, {seed[lane]['as_expected']} of {seed[lane]['kernels']}"
                for lane in result["lanes"]]
        lines.append(f"| {number} ({seed['run_seed']}) | {said[0]} | {said[1]} | {seed['rows']} |"
                     f" {len(seed['differing'])} |")
    rows = [[number, *row] for number, seed in result["seeds"].items()
            for row in seed.get("differing", [])]
    if rows:
        lines += ["", f"| run seed | row | {first} | {second} |", "|---|---|---|---|"]
        lines += ["| " + " | ".join(str(part) for part in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def measure(machine, options):
    """Goes on with OUT.json where that is of this commit; returns what it holds then."""
    out = pathlib.Path(options.out)
    facts = facts_of_run(machine, options.devices.split(",")[0])
    result = json.loads(out.with_suffix(".json").read_text()) if out.with_suffix(
        ".json").exists() else {}
    if result.get("commit") != facts["commit"]:
        result = {}

    def save(value):
        value.update(facts)
        value["figures"] = figures(value)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.with_suffix(".json").write_text(json.dumps(value, indent=1) + "\n")
        out.with_suffix(".md").write_text(markdown(value))
    return take(machine, options, result, save)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--seeds", default=SEEDS, help="A-B or one number")
    parser.add_argument("--seconds", type=float, default=SECONDS_MAX)
    parser.add_argument("--devices", default="cuda,emu")
    parser.add_argument("--jobs", default="", help="of each lane; default: equal shares")
    parser.add_argument("--cases", type=int, help="of each plan; default: all")
    parser.add_argument("--out", default="gate/bench/results/emu_cuda_equal",
                        help="without suffix")
    options = parser.parse_args()
    if len(options.devices.split(",")) != 2:
        parser.error("--devices takes two, as cuda,emu")
    result = measure(Machine(options.build, options.seconds), options)
    print(markdown(result))
    found = result["figures"]
    fine = all(lane["as_expected"] == lane["kernels"] for lane in found["lanes"].values())
    if "problem" in result or found["rows_differing"] or not (fine or options.cases):
        return 1
    return 0 if found["run_seeds_compared"] == found["run_seeds_wanted"] else 4


if __name__ == "__main__":
    sys.exit(main())
