"""Parts that run corpora: the paper's on cuda beside emu, controls, faults, Triton, two GPUs. Each
goes on where an earlier call of the same commit ended; `known` is what the result file holds."""
# SPDX-License-Identifier: Apache-2.0
import concurrent.futures

from machine import kernels_as_expected, rows_of, seed_text, unexpected

RUN_SEEDS = 20
CONTROL_CASES = 100_000
CONTROL_CASES_A_RUN = 25_000
EMU_SEEDS = 100
NO_BUG = "--gtest_filter=-*_buggy*"


def progress_of(known, name, options):
    """What earlier calls at this commit did of a part; a new commit begins anew."""
    earlier = known.get(name, {})
    return earlier if earlier.get("commit") == options.commit else {"commit": options.commit}


def verdicts(report):
    return {" ".join(key): [row["class"], row["kind"]] for key, row in rows_of(report).items()}


def run_devices(machine, number, devices):
    """One run seed on these devices at once: {device: (exit code, report, seconds)}."""
    def run(device):
        return machine.gate("testcases", "--corpus", "paper", "--device", device, "--run-seed",
                            seed_text(number))
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        results = dict(zip(devices, threads.map(run, devices)))
    print(f"seed {number}:", {device: (code, round(seconds, 1))
                              for device, (code, _, seconds) in results.items()}, flush=True)
    return results


def compare(seed):
    """Disagreements of a seed that both devices have run; their tables are dropped then."""
    cuda, emu = seed["cuda"].pop("verdicts"), seed["emu"].pop("verdicts")
    return [[key, *cuda[key], *emu.get(key, [None, None])] for key in cuda
            if cuda[key] != emu.get(key)]


def corpus(machine, options, known):
    """The paper corpus on cuda and on emu, run seed by run seed. --device takes one of the two: emu
    needs no GPU, so its half can be taken elsewhere first."""
    progress = progress_of(known, "corpus_progress", options)
    seeds = progress.setdefault("seeds", {})
    wanted = [options.device] if options.device else ["cuda", "emu"]
    longest = 60
    for number in range(options.run_seeds or RUN_SEEDS):
        seed = seeds.setdefault(seed_text(number), {})
        devices = [device for device in wanted if device not in seed]
        if not devices or machine.seconds_left() < longest:
            continue
        for device, (code, report, seconds) in run_devices(machine, number, devices).items():
            if report is None:
                return {"corpus_progress": progress,
                        "corpus_reason": f"gate run on {device} ended with {code}"}
            longest = max(longest, 1.5 * seconds)
            rows, fine = kernels_as_expected(report)
            seed[device] = {"rows": rows, "as_expected": fine, "exit": code,
                            "seconds": round(seconds, 1), "unexpected": unexpected(report),
                            "verdicts": verdicts(report)}
        if "cuda" in seed and "emu" in seed and "disagreements" not in seed:
            seed["disagreements"] = compare(seed)
    on_cuda = [seed["cuda"] for seed in seeds.values() if "cuda" in seed]
    compared = [seed for seed in seeds.values() if "disagreements" in seed]
    return {"corpus_progress": progress, "run_seeds": len(on_cuda),
            "emu_seeds_compared": len(compared),
            "corpus_rows": min((run["rows"] for run in on_cuda), default=None),
            "corpus_as_expected": min((run["as_expected"] for run in on_cuda), default=None),
            "emu_disagreements": sum(len(seed["disagreements"]) for seed in compared)
            if compared else None}


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


def emu_seeds(machine, options, known):
    """First finding of every corpus bug on emu, 100 run seeds."""
    progress = progress_of(known, "emu_seeds_progress", options)
    table, done = progress.setdefault("found_within_16", {}), progress.setdefault("seeds", [])
    late, longest = progress.setdefault("missed", []), 20
    for number in range(options.run_seeds or EMU_SEEDS):
        seed = seed_text(1000 + number)
        if seed in done or machine.seconds_left() < longest:
            continue
        code, report, seconds = machine.gate(
            "testcases", "--corpus", "paper", "--device", "emu", "--cases", "16",
            "--gtest_filter=*_buggy*", "--run-seed", seed)
        if report is None:
            return {"emu_seeds_progress": progress, "emu_seeds_reason": f"exit {code}"}
        longest = max(longest, 1.5 * seconds)
        done.append(seed)
        for (kernel, column), row in rows_of(report).items():
            first = row["cases_to_first_finding"]
            entry = table.setdefault(f"{kernel} {column}", {"found": 0, "largest": 0})
            if 0 < first <= 16:
                entry["found"] += 1
                entry["largest"] = max(entry["largest"], first)
            else:
                late.append([seed, kernel, column])
        print(f"seed {number}: {seconds:.1f} s, {len(late)} missed so far", flush=True)
    return {"emu_seeds_progress": progress, "emu_seeds": len(done)}
