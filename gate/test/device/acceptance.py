"""Measurements of a machine with a GPU; see acceptance.sh. Runs the program, reads its JSON."""
# SPDX-License-Identifier: Apache-2.0
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import time

import conformance as snippets

RUN_SEEDS = 20
CONTROL_CASES = 100_000
PART_SECONDS_MAX = 460

FIGURES = """device driver date commit corpus_rows corpus_as_expected emu_disagreements triton_rows
triton_as_expected run_seeds control_cases control_red fault_rows fault_as_expected
conformance_rows conformance_equal us_per_case_pipelined us_per_case_serial floor_us_per_case
pytorch_us_per_case cases_per_second cases_per_second_all_cores context_ms cold_start_ms
warm_start_ms two_gpu_speedup""".split()


class Machine:
    """The built tree under test and the clock of one part."""

    def __init__(self, build):
        self.build = pathlib.Path(build)
        self.started = time.monotonic()

    def seconds_left(self):
        return PART_SECONDS_MAX - (time.monotonic() - self.started)

    def gate(self, *arguments, environment=None):
        """Runs `gate run`; returns (exit code, report or None, seconds)."""
        report = pathlib.Path("/tmp/gate-acceptance.json")
        report.unlink(missing_ok=True)
        started = time.monotonic()
        run = subprocess.run(
            [str(self.build / "gate"), "run", *arguments, "--json", str(report)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=max(10, self.seconds_left() + 60),
            env={**os.environ, **(environment or {})})
        seconds = time.monotonic() - started
        if not report.exists():
            print(run.stdout[-2000:])
            return run.returncode, None, seconds
        return run.returncode, json.loads(report.read_text()), seconds

    def worker_facts(self, device):
        started = time.monotonic()
        run = subprocess.run([str(self.build / "gate-worker"), "--device", device, "--facts"],
                             capture_output=True, text=True)
        return json.loads(run.stdout) if run.returncode == 0 else {}, time.monotonic() - started


def rows_of(report):
    return {(row["op"] + "/" + row["kernel"].split("/")[-1], row["column"]): row
            for row in report["rows"]}


def kernels_as_expected(report):
    """(kernels, those whose every column has the expected class)."""
    kernels = {}
    for (kernel, _), row in rows_of(report).items():
        fine = row["expected"] is None or row["class"] == row["expected"]
        kernels[kernel] = kernels.get(kernel, True) and fine
    return len(kernels), sum(kernels.values())


def seed_text(number):
    return f"{0x9E3779B97F4A7C15 * (number + 1) % (1 << 64):016x}"


def corpus(machine, _):
    """The paper corpus on cuda and on emu, run seed by run seed."""
    result = {"run_seeds": 0, "corpus_rows": 0, "corpus_as_expected": 0, "emu_disagreements": 0}
    disagreements, worst = [], None
    for number in range(RUN_SEEDS):
        if machine.seconds_left() < 30:
            break
        pair = {}
        for device in ("cuda", "emu"):
            code, report, seconds = machine.gate("testcases", "--corpus", "paper", "--device",
                                                 device, "--run-seed", seed_text(number))
            if report is None:
                result["reason"] = f"gate run on {device} ended with {code}"
                return result
            pair[device] = rows_of(report)
            print(f"seed {number} {device}: exit {code}, {seconds:.1f} s,"
                  f" {kernels_as_expected(report)}", flush=True)
            if device == "cuda":
                counts = kernels_as_expected(report)
                worst = counts if worst is None or counts[1] < worst[1] else worst
        for key, row in pair["cuda"].items():
            other = pair["emu"][key]
            if (row["class"], row["kind"]) != (other["class"], other["kind"]):
                disagreements.append([seed_text(number), *key, row["class"], row["kind"],
                                      other["class"], other["kind"]])
        result["run_seeds"] += 1
    result["corpus_rows"], result["corpus_as_expected"] = worst or (0, 0)
    result["emu_disagreements"] = len(disagreements)
    result["emu_disagreement_list"] = disagreements[:50]
    return result


def controls(machine, _):
    """100,000 cases of the nightly plan, equal shares for every control's column."""
    buggy = "*_buggy*"
    code, report, _ = machine.gate("testcases", "--corpus", "paper", "--device", "cuda", "--cases",
                                   "1", f"--gtest_filter=-{buggy}")
    columns = len(report["rows"]) if report else 0
    if columns == 0:
        return {"control_cases": None, "control_reason": f"nothing ran: exit {code}"}
    share = -(-CONTROL_CASES // columns)
    code, report, seconds = machine.gate(
        "testcases", "--corpus", "paper", "--device", "cuda", "--profile", "nightly", "--cases",
        str(share), f"--gtest_filter=-{buggy}", "--time-limit", str(int(machine.seconds_left())))
    if report is None:
        return {"control_cases": None, "control_reason": f"exit {code}"}
    rows = report["rows"]
    red = [[row["kernel"], row["column"], row["kind"]] for row in rows if row["findings"]]
    return {"control_cases": sum(row["cases"] for row in rows), "control_red": len(red),
            "control_red_rows": red, "control_seconds": round(seconds, 1),
            "control_shares": {f"{row['kernel']} {row['column']}": row["cases"] for row in rows},
            "control_largest_ratio": {f"{row['op']} {row['column']}": row.get("largest_ratio")
                                      for row in rows}}


def faults(machine, _):
    code, report, _ = machine.gate("testcases", "--corpus", "faults", "--device", "cuda")
    if report is None:
        return {"fault_rows": None, "fault_reason": f"exit {code}"}
    total, fine = kernels_as_expected(report)
    table = {f"{kernel} {column}": [row["class"], row["kind"]]
             for (kernel, column), row in rows_of(report).items()}
    return {"fault_rows": total, "fault_as_expected": fine, "fault_table": table}


def conformance(machine, _):
    """Every conformance snippet, compiled by nvcc for this machine's GPU, gives its words."""
    return snippets.check("native")


def triton(machine, _):
    code, report, _ = machine.gate("testcases", "--corpus", "paper-triton", "--device", "python",
                                   "--time-limit", str(int(machine.seconds_left())))
    if report is None:
        return {"triton_rows": None, "triton_reason": f"exit {code}"}
    total, fine = kernels_as_expected(report)
    table = {f"{kernel} {column}": [row["class"], row["kind"], row["cases"]]
             for (kernel, column), row in rows_of(report).items()}
    return {"triton_rows": total, "triton_as_expected": fine, "triton_table": table}


def speed(machine, _):
    """One small case, end to end: softmax f16, 8 x 127."""
    kernel = "testcases/softmax/kernels/softmax_cuda.toml"
    one = ["--device", "cuda", "--cases", "1", "--gtest_filter=*f16/boundary"]
    result = {}
    _, context = machine.worker_facts("cuda")
    result["context_ms"] = round(context * 1000, 1)
    for name, cache in (("cold_start_ms", "/tmp/gate-cold-cache"), ("warm_start_ms", None)):
        environment = {"GATE_CACHE": cache or "/tmp/gate-cold-cache"}
        if cache:
            subprocess.run(["rm", "-rf", cache], check=True)
        _, report, seconds = machine.gate(kernel, *one, environment=environment)
        result[name] = round(seconds * 1000, 1) if report else None
    bench = machine.build / "gate" / "bench" / "cuda_bench"
    if bench.exists():
        run = subprocess.run([str(bench), "--benchmark_format=json"], capture_output=True,
                             text=True)
        result["bench"] = json.loads(run.stdout) if run.returncode == 0 else run.stderr[-500:]
    return result


def two_gpu(machine, _):
    seconds = {}
    for devices in ("0", "0,1"):
        code, report, seconds[devices] = machine.gate(
            "testcases", "--corpus", "paper", "--device", "cuda", "--devices", devices,
            "--profile", "nightly", "--cases", "400")
        if report is None:
            return {"two_gpu_speedup": None, "two_gpu_reason": f"exit {code}"}
    return {"two_gpu_speedup": round(seconds["0"] / seconds["0,1"], 3),
            "two_gpu_seconds": seconds}


def emu_seeds(machine, _):
    """First finding of every corpus bug on emu, 100 run seeds: gate/bench/results/emu_seeds."""
    late, seeds, table = [], 0, {}
    for number in range(100):
        if machine.seconds_left() < 20:
            break
        code, report, seconds = machine.gate(
            "testcases", "--corpus", "paper", "--device", "emu", "--cases", "16",
            "--gtest_filter=*_buggy*", "--run-seed", seed_text(1000 + number))
        if report is None:
            return {"emu_seeds": None, "emu_seeds_reason": f"exit {code}"}
        seeds += 1
        for (kernel, column), row in rows_of(report).items():
            first = row["cases_to_first_finding"]
            entry = table.setdefault(f"{kernel} {column}", {"found": 0, "largest": 0})
            if 0 < first <= 16:
                entry["found"] += 1
                entry["largest"] = max(entry["largest"], first)
            else:
                late.append([seed_text(1000 + number), kernel, column])
        print(f"seed {number}: {seconds:.1f} s, {len(late)} missed so far", flush=True)
    return {"emu_seeds": seeds, "emu_seeds_missed": late, "found_within_16": table}


PARTS = {"corpus": corpus, "controls": controls, "faults": faults, "speed": speed,
         "conformance": conformance, "triton": triton, "two_gpu": two_gpu, "emu_seeds": emu_seeds}


def commit():
    run = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True)
    return run.stdout.strip() or os.environ.get("GATE_COMMIT", "unknown")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", action="append", choices=sorted(PARTS), required=True)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--out", default="gate/bench/results/cuda.json")
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    merged = json.loads(out.read_text()) if out.exists() else {}
    for figure in FIGURES:
        merged.setdefault(figure, None)
    for part in options.part:
        machine = Machine(options.build)
        facts, _ = machine.worker_facts("cuda")
        result = PARTS[part](machine, options)
        merged.update(result)
        merged.update({"device": facts.get("name"), "driver": facts.get("cuda_driver"),
                       "date": datetime.date.today().isoformat(), "commit": commit()})
        merged.setdefault("parts", {})[part] = {
            "commit": commit(), "seconds": round(time.monotonic() - machine.started, 1)}
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(merged, indent=1, sort_keys=True) + "\n")
        print(part, json.dumps({key: value for key, value in result.items()
                                if not isinstance(value, (dict, list))}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
