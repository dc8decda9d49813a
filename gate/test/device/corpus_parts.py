"""Parts that run corpora: the paper's on cuda beside emu, controls, Triton, two GPUs. Each goes on
where an earlier call of the same commit ended; `known` is what the result file holds."""
# SPDX-License-Identifier: Apache-2.0
import argparse
import pathlib
import sys

from machine import kernels_as_expected, rows_of, seed_text, unexpected

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import emu_cuda_equal  # noqa: E402

RUN_SEEDS = 20
CONTROL_CASES = 100_000
CONTROL_CASES_A_RUN = 25_000
NO_BUG = "--gtest_filter=-*_buggy*"


def progress_of(known, name, options):
    """What earlier calls at this commit did of a part; a new commit begins anew."""
    earlier = known.get(name, {})
    return earlier if earlier.get("commit") == options.commit else {"commit": options.commit}


def verdicts(report):
    return {" ".join(key): [row["class"], row["kind"]] for key, row in rows_of(report).items()}


def corpus(machine, options, _):
    """The paper corpus on cuda and on emu, run seed by run seed; details in emu_cuda_equal.json
    beside the result file."""
    wanted = argparse.Namespace(
        devices="cuda,emu", jobs=options.lanes, cases=options.cases,
        seeds=f"1-{options.run_seeds or RUN_SEEDS}",
        out=str(pathlib.Path(options.out).with_name("emu_cuda_equal")))
    result = emu_cuda_equal.measure(machine, wanted)
    found = result["figures"]
    on_cuda, compared = found["lanes"]["cuda"], found["run_seeds_compared"]
    reason = {"corpus_reason": result["problem"]} if "problem" in result else {}
    return {"run_seeds": on_cuda["run_seeds"], "emu_seeds_compared": compared,
            "corpus_rows": on_cuda["kernels"], "corpus_as_expected": on_cuda["as_expected"],
            "emu_disagreements": found["rows_differing"] if compared else None, **reason}


def controls(machine, options, known):
    """100,000 cases of the nightly plan, equal shares for every control's column, as several run
    seeds: each share is the head of a plan of its own."""
    wanted = options.cases or CONTROL_CASES
    progress = progress_of(known, "control_progress", options)
    runs = progress.setdefault("runs", {})
    columns = progress.get("columns")
    if not columns:
        code, report, _ = machine.gate("testcases", "--corpus", "paper", "--device", "cuda",
                                       "--cases", "1", NO_BUG)
        columns = progress["columns"] = len(report["rows"]) if report else 0
        if columns == 0:
            return {"control_cases": None, "control_reason": f"nothing ran: exit {code}"}
    share = -(-min(CONTROL_CASES_A_RUN, wanted) // columns)
    ratios, longest, number = progress.setdefault("largest_ratio", {}), 45, 0
    while sum(run["cases"] for run in runs.values()) < wanted:
        seed = seed_text(5000 + number)
        number += 1
        if seed in runs:
            continue
        if machine.seconds_left() < longest:
            break
        code, report, seconds = machine.gate(
            "testcases", "--corpus", "paper", "--device", "cuda", "--profile", "nightly", "--cases",
            str(share), NO_BUG, "--run-seed", seed, "--sanitizer", "off" if runs else "on")
        if report is None:
            return {"control_progress": progress, "control_reason": f"exit {code}"}
        longest = max(longest, 1.3 * seconds)
        rows = report["rows"]
        shares = [row["cases"] for row in rows]
        runs[seed] = {"cases": sum(shares), "smallest_share": min(shares),
                      "largest_share": max(shares), "seconds": round(seconds, 1), "exit": code,
                      "red": [[row["kernel"], row["column"], row["kind"],
                               row["findings"][0]["sentence"], row["findings"][0]["case"],
                               row["findings"][0].get("sanitizer")]
                              for row in rows if row["findings"]]}
        for row in rows:
            key = f"{row['op']} {row['column']}"
            ratios[key] = max(ratios.get(key) or 0, row.get("largest_ratio") or 0)
        print(f"controls {seed}: {sum(shares)} cases in {seconds:.1f} s, exit {code},"
              f" red {runs[seed]['red']}", flush=True)
    red = [row for run in runs.values() for row in run["red"]]
    return {"control_progress": progress, "control_red": len(red), "control_red_rows": red,
            "control_cases": sum(run["cases"] for run in runs.values()),
            "control_largest_ratio": dict(sorted(ratios.items()))}


def triton(machine, _, __):
    code, report, seconds = machine.gate("testcases", "--corpus", "paper-triton", "--device",
                                         "python", "--time-limit",
                                         str(int(machine.seconds_left())))
    if report is None:
        return {"triton_rows": None, "triton_reason": f"exit {code}"}
    total, fine = kernels_as_expected(report)
    return {"triton_rows": total, "triton_as_expected": fine, "triton_exit": code,
            "triton_seconds": round(seconds, 1), "triton_unexpected": unexpected(report),
            "triton_table": verdicts(report)}


def two_gpu(machine, options, _):
    """The corpus' nightly cases on one GPU and on two; where there is one, two workers on it."""
    cases = str(options.cases or 400)
    devices = [0, 1] if machine.worker_facts("cuda")[0].get("count", 1) > 1 else [0, 0]
    seconds = {}
    for jobs in (1, 2):
        shown = ",".join(str(device) for device in devices[:jobs])
        code, report, seconds[shown] = machine.gate(
            "testcases", "--corpus", "paper", "--device", "cuda", "--devices", shown, "--jobs",
            str(jobs * (options.jobs or 4)), "--profile", "nightly", "--cases", cases, NO_BUG)
        if report is None:
            return {"two_gpu_speedup": None, "two_gpu_reason": f"exit {code}"}
    one, two = seconds.values()
    speedup = round(one / two, 3)
    if devices == [0, 0]:
        return {"two_workers_speedup": speedup, "two_workers_seconds": seconds,
                "two_gpu_speedup": None, "two_gpu_reason": "the machine has one GPU"}
    return {"two_gpu_speedup": speedup, "two_gpu_seconds": seconds}
