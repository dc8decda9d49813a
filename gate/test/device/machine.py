"""The machine under measurement: the built tree, the clock of one part, runs of `gate run`."""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import subprocess
import tempfile
import time

PART_SECONDS_MAX = 460


class Machine:
    """The built tree and the seconds that are left to one part."""

    def __init__(self, build, seconds=PART_SECONDS_MAX):
        self.build = pathlib.Path(build).resolve()
        self.seconds = seconds
        self.started = time.monotonic()

    def seconds_left(self):
        return self.seconds - (time.monotonic() - self.started)

    def gate(self, *arguments, environment=None):
        """Runs `gate run`; returns (exit code, report or None, seconds)."""
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
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
        """What the worker says of its device, and the seconds until it is open."""
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


def unexpected(report):
    """Rows that are not as expected, for the reader of a figure that falls short."""
    return [[kernel, column, row["class"], row["kind"], row["expected"],
             *(finding["sentence"] for finding in row["findings"][:2])]
            for (kernel, column), row in rows_of(report).items()
            if row["expected"] is not None and row["class"] != row["expected"]]


def seed_text(number):
    return f"{0x9E3779B97F4A7C15 * (number + 1) % (1 << 64):016x}"
