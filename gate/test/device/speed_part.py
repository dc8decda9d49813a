"""Part `speed`: one small case (softmax f16, 8 x 127) end to end, with one worker and with several
on the same GPU, beside a PyTorch harness (one process, as people run it), and what a first case
costs."""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import statistics
import subprocess
import sys
import tempfile

KERNEL = "testcases/softmax/kernels/softmax_cuda"
CASES = 20_000
STARTS = 5


def starts(machine):
    """Opening the GPU alone, and `gate run` of one case with a warm and an empty build cache."""
    machine.worker_facts("cuda")   # the driver's files come from the disk once
    contexts = [machine.worker_facts("cuda")[1] for _ in range(STARTS)]
    one = [KERNEL + ".toml", "--device", "cuda", "--cases", "1", "--gtest_filter=*f16/boundary"]
    cold, warm = [], []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as cache:
            for seconds in (cold, warm):
                code, report, taken = machine.gate(*one, environment={"GATE_CACHE": cache})
                if report is None or code != 0:
                    return {"cold_start_ms": None, "start_reason": f"gate run ended with {code}"}
                seconds.append(taken)
    result = {f"{name}_ms": round(statistics.median(values) * 1000, 1)
              for name, values in (("context", contexts), ("cold_start", cold),
                                   ("warm_start", warm))}
    result["start_samples_s"] = {"context": contexts, "cold": cold, "warm": warm}
    return result


def run_json(command):
    run = subprocess.run(command, capture_output=True, text=True)
    try:
        return json.loads(run.stdout), run.returncode
    except ValueError:
        return {"reason": (run.stderr or run.stdout)[-500:]}, run.returncode


def speed(machine, options, _):
    result = starts(machine)
    program = machine.build / "bench" / "cuda_speed"
    with tempfile.TemporaryDirectory() as folder:
        inputs = os.path.join(folder, "inputs.bin")
        ours, code = run_json([str(program), "testcases", str(options.cases or CASES), inputs])
        if code != 0:
            return {**result, "speed_reason": f"cuda_speed ended with {code}: {ours}"}
        theirs, code = run_json([sys.executable, "gate/bench/pytorch_harness.py", KERNEL + ".cu",
                                 inputs])
    result.update({key: ours[key] for key in
                   ("us_per_case_pipelined", "us_per_case_serial", "cases_per_second",
                    "cases_per_second_all_cores")})
    result["floor_us_per_case"] = ours["floor_us_per_case"]
    pytorch = result["pytorch_us_per_case"] = theirs.get("pytorch_us_per_case")
    result["workers_on_one_gpu"] = {
        workers: {**measured, "times_pytorch": pytorch and pytorch / measured["us_per_case"]}
        for workers, measured in ours["workers"].items()}
    result["times_pytorch"] = pytorch and pytorch / ours["us_per_case_pipelined"]
    result["speed_detail"] = {"gate": ours, "pytorch": theirs}
    return result
