"""Measurements of a machine with a GPU; see acceptance.sh. Runs the program, reads its JSON."""
# SPDX-License-Identifier: Apache-2.0
import argparse
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import conformance as snippets
import corpus_parts
import faults_part
import forms
import speed_part
from machine import PART_SECONDS_MAX, Machine

FIGURES = """device driver date commit corpus_rows corpus_as_expected emu_disagreements triton_rows
triton_as_expected run_seeds control_cases control_red fault_rows fault_as_expected
conformance_rows conformance_equal us_per_case_pipelined us_per_case_serial floor_us_per_case
pytorch_us_per_case cases_per_second cases_per_second_all_cores context_ms cold_start_ms
warm_start_ms two_gpu_speedup""".split()


def conformance(_, __, ___):
    """Every conformance snippet, compiled by nvcc for this machine's GPU, gives its words."""
    return snippets.check("native")


PARTS = {"corpus": corpus_parts.corpus, "controls": corpus_parts.controls,
         "faults": faults_part.faults, "conformance": conformance, "speed": speed_part.speed,
         "triton": corpus_parts.triton, "two_gpu": corpus_parts.two_gpu,
         "forms": forms.forms}


def head_commit():
    """Of the checkout, or of GATE_COMMIT where a tree travels without its history."""
    if "GATE_COMMIT" in os.environ:
        return os.environ["GATE_COMMIT"]
    run = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True)
    return run.stdout.strip() or "unknown"


def gpu_names():
    if shutil.which("nvidia-smi") is None:
        return []
    run = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         capture_output=True, text=True)
    return [line.split(", ") for line in run.stdout.splitlines() if ", " in line]


def run_part(part, options, merged):
    """Runs one part and merges what it found; figures that it could not take stay null."""
    machine = Machine(options.build, options.seconds)
    try:
        result = PARTS[part](machine, options, merged)
    except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
        result = {f"{part}_reason": f"{type(error).__name__}: {error}"}
    else:
        for name in (part, part.rstrip("s")):   # why there were no figures before
            merged.pop(f"{name}_reason", None)
    merged.update(result)
    gpus = gpu_names()
    merged.update({"date": datetime.date.today().isoformat(), "commit": options.commit})
    if gpus:
        merged.update({"device": gpus[0][0], "driver": gpus[0][1]})
    merged.setdefault("parts", {})[part] = {
        "commit": options.commit, "gpus": len(gpus), "cores": os.cpu_count(),
        "seconds": round(time.monotonic() - machine.started, 1)}
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", action="append", choices=sorted(PARTS), required=True)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--out", default="gate/bench/results/cuda.json")
    parser.add_argument("--seconds", type=float, default=PART_SECONDS_MAX, help="for each part")
    parser.add_argument("--cases", type=int, help="in place of a part's own number")
    parser.add_argument("--run-seeds", type=int, help="in place of a part's own number")
    parser.add_argument("--lanes", default="", help="corpus: jobs on cuda and on emu, as 10,6")
    parser.add_argument("--filter", help="faults: only these tests, as --gtest_filter")
    parser.add_argument("--jobs", type=int, help="for each GPU of two_gpu")
    options = parser.parse_args()
    options.commit = head_commit()
    out = pathlib.Path(options.out)
    merged = json.loads(out.read_text()) if out.exists() else {}
    for figure in FIGURES:
        merged.setdefault(figure, None)
    for part in options.part:
        result = run_part(part, options, merged)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(merged, indent=1, sort_keys=True) + "\n")
        print(part, json.dumps({key: value for key, value in result.items()
                                if not isinstance(value, (dict, list))}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
