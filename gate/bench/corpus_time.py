"""The main job as people meet it: the paper's corpus from a warm build cache, timed; the same with
--ignore-expect, whose red kernels are told by name, and every seed of it replayed in a new process.

Usage: corpus_time.py [--build build/release] [--runs 3] [--corpus paper]
                      [--out gate/bench/results/corpus_time]
Writes OUT.json and OUT.md; ends with 1 if a row is not as expected or a seed does not replay.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "gate" / "test" / "device"))
from machine import Machine, kernels_as_expected  # noqa: E402
from measured_on import facts_of_run  # noqa: E402


def timed(machine, corpus, runs):
    """Seconds of each warm run, and what the last one says."""
    machine.gate("testcases", "--corpus", corpus)   # builds what the cache lacks
    seconds, codes = [], []
    for _ in range(runs):
        code, report, taken = machine.gate("testcases", "--corpus", corpus)
        codes.append(code)
        seconds.append(round(taken, 1))
    kernels, fine = kernels_as_expected(report)
    return {"seconds": seconds, "median_seconds": statistics.median(seconds), "exits": codes,
            "kernels": kernels, "as_expected": fine, "rows": len(report["rows"])}


def ignoring(machine, corpus):
    """The kernels that are red without [expect], and how many of their seeds replay."""
    with tempfile.TemporaryDirectory() as folder:
        code, report, _ = machine.gate("testcases", "--corpus", corpus, "--ignore-expect",
                                       "--seeds-out", folder)
        red = sorted({row["op"] + "/" + row["kernel"] for row in report["rows"]
                      if row["findings"]})
        seeds = sorted(pathlib.Path(folder).rglob("*.toml"))
        replays = [subprocess.run([str(machine.build / "gate"), "replay", str(seed), "--root", "."],
                                  capture_output=True).returncode for seed in seeds]
        executions = [finding["shrink_executions"] for row in report["rows"]
                      for finding in row["findings"]]
    return {"exit": code, "red_kernels": red, "seeds": len(seeds),
            "seeds_replayed": replays.count(1), "findings": len(executions),
            "median_shrink_executions": statistics.median(executions)}


def markdown(result):
    plain, bare = result["as_expected_run"], result["ignore_expect_run"]
    times = ", ".join(f"{seconds} s" for seconds in plain["seconds"])
    return "\n".join([
        f"# `gate run testcases --corpus {result['corpus']}` from a warm build cache", "",
        f"Commit {result['commit']}, {result['date']}, {result['machine']}."
        " Taken by `gate/bench/corpus_time.py`.", "",
        f"{plain['as_expected']} of {plain['kernels']} kernels as expected"
        f" ({plain['rows']} rows), exit {', '.join(map(str, plain['exits']))}: {times}.", "",
        f"`--ignore-expect`: exit {bare['exit']}, {len(bare['red_kernels'])} red kernels,"
        f" {bare['findings']} findings, half of them shrunk in"
        f" {bare['median_shrink_executions']:g} executions or fewer;"
        f" {bare['seeds_replayed']} of {bare['seeds']} seeds replayed in new processes.", "",
        *(f"- {kernel}" for kernel in bare["red_kernels"])]) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--corpus", default="paper")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--out", default="gate/bench/results/corpus_time", help="without suffix")
    options = parser.parse_args()
    machine = Machine(options.build, 3600)
    result = {**facts_of_run(machine, "emu"), "corpus": options.corpus,
              "as_expected_run": timed(machine, options.corpus, options.runs),
              "ignore_expect_run": ignoring(machine, options.corpus)}
    out = pathlib.Path(options.out)
    out.with_suffix(".json").write_text(json.dumps(result, indent=1, sort_keys=True) + "\n")
    out.with_suffix(".md").write_text(markdown(result))
    print(markdown(result))
    plain, bare = result["as_expected_run"], result["ignore_expect_run"]
    fine = plain["as_expected"] == plain["kernels"] and set(plain["exits"]) == {0}
    return 0 if fine and bare["seeds_replayed"] == bare["seeds"] else 1


if __name__ == "__main__":
    sys.exit(main())
