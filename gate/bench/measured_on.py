"""What every committed measurement says of itself: commit, date, machine, device."""
# SPDX-License-Identifier: Apache-2.0
import datetime
import os
import platform
import subprocess


def head_commit():
    """Of the checkout, or of GATE_COMMIT where a tree travels without its history."""
    if "GATE_COMMIT" in os.environ:
        return os.environ["GATE_COMMIT"]
    run = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True)
    return run.stdout.strip() or "unknown"


def processor():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def facts_of_run(machine, device):
    facts, _ = machine.worker_facts(device)
    return {"commit": head_commit(), "date": datetime.date.today().isoformat(),
            "device": device, "device_name": facts.get("name"),
            "machine": f"{os.cpu_count()} x {processor()}"}
