"""The `python` device: runs Triton, PyTorch and NumPy functions and KernelBench modules.

Speaks the worker protocol (gate/worker/wire.h) on an inherited SOCK_SEQPACKET socket, with the
tensors in shared slots. gate-worker starts it, inside its sandbox, in a scratch folder.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import glob
import importlib.metadata
import importlib.util
import json
import mmap
import os
import socket
import struct
import sys
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -I leaves our folder out
from arrays import NumpyArrays, Refused, TorchArrays, wants_torch
from expressions import evaluate
from gate_model import Model, load_weights
from gate_describe import describe
from gate_reference import Reference
from sandbox import landlock_version, restrict

RED_ZONE_BYTES = 4096   # gate/worker/requests.h
SLOT_ALIGNMENT = 256    # gate/worker/slot.h
MESSAGE_BYTES_MAX = 64 << 10
TEXT_BYTES_MAX = 12 << 10
REFERENCE_ENTRY = "gate.reference"   # gate/reference/plugin.h
DESCRIBE_ENTRY = "gate.describe"     # gate/intake/problem.h


def signed(text):
    """A 64-bit integer of the protocol: hex, two's complement."""
    value = int(text, 16)
    return value - (1 << 64) if value >> 63 else value


def real(value):
    """A float of the protocol: a JSON number, or its bits as hex where JSON has none."""
    return struct.unpack("<d", struct.pack("<Q", int(value, 16)))[0] if isinstance(value, str) \
        else float(value)


def slot_offsets(sizes):
    """Where each tensor's storage begins, and the bytes in use (slot_layout in slot.cpp)."""
    def up(value):
        return (value + SLOT_ALIGNMENT - 1) // SLOT_ALIGNMENT * SLOT_ALIGNMENT
    offsets, end = [], 0
    for size in sizes:
        offsets.append(up(end + RED_ZONE_BYTES))
        end = up(offsets[-1] + size + RED_ZONE_BYTES)
    return offsets, end


def enter_scratch(image):
    """Goes to the kernel's own folder of the scratch, and leaves nothing else writable. Workers of
    one kernel find there what earlier ones compiled; no kernel can write what another one runs."""
    shared = os.getcwd()
    own = os.path.join(shared, os.path.basename(image))
    os.makedirs(own, mode=0o700, exist_ok=True)
    os.chdir(own)
    for name, value in list(os.environ.items()):
        if value == shared:   # HOME, TMPDIR and the caches, as gate-worker set them
            os.environ[name] = own
    for lock in glob.glob(os.path.join(own, "*", "lock")):
        os.remove(lock)       # of a worker that was killed while it built an extension
    restrict(own)


class Kernel:
    """A loaded entry: a function, or a KernelBench module to be constructed and called."""

    def __init__(self, load):
        with open(load["image"], encoding="utf-8") as file:
            source = json.load(file)["source"]
        special = load["launch"][0]["entry"] if load["launch"] else ""
        self.source, self.described = source, special == DESCRIBE_ENTRY
        self.reference = None
        if self.described:
            return   # not imported before its sizes are known
        sys.path.insert(0, os.path.dirname(source))
        spec = importlib.util.spec_from_file_location("gate_kernel", source)
        module = importlib.util.module_from_spec(spec)
        sys.modules["gate_kernel"] = module
        spec.loader.exec_module(module)
        if special == REFERENCE_ENTRY:
            self.reference = Reference(module, source)
            return
        self.arrays = TorchArrays() if wants_torch(source) else NumpyArrays()
        self.steps = []
        for step in load["launch"]:
            entry = getattr(module, step["entry"], None)
            if entry is None:
                raise Refused("build_failed", f"{source}: no function '{step['entry']}'")
            if isinstance(entry, type):
                entry = Model(module, entry, getattr(self.arrays, "gpu", False))
            self.steps.append((entry, step["args"]))

    def arguments(self, arguments, views, job):
        values = []
        for argument in arguments:
            if argument["what"] in ("tensor", "workspace"):
                values.append(views[argument["name"]])
            elif argument["what"] == "attribute":
                values.append(job["attributes"][argument["name"]])
            elif argument["what"] == "integer":
                values.append(evaluate(argument["value"], job["integers"]))
            else:
                raise Refused("unsupported", "a Python function takes no stream argument")
        return values

    def answer(self, slot, offsets, job):
        """Not a kernel: a reference, or what a problem file is, as JSON in the only output."""
        started = time.perf_counter()
        if self.reference:
            self.reference.run(slot, offsets, job)
        else:
            text = json.dumps(describe(self.source)).encode()
            room = job["tensors"][0]["bytes"]
            if len(text) > room:
                raise Refused("crash", f"the description of {self.source} is too long")
            slot[offsets[0]:offsets[0] + room] = text.ljust(room, b"\0")
        return (time.perf_counter() - started) * 1e6

    def run(self, slot, job):
        sizes = [tensor["bytes"] for tensor in job["tensors"]]
        offsets, used = slot_offsets(sizes)
        if self.described or self.reference:   # no kernel
            return self.answer(memoryview(slot)[:used], offsets, job)
        opened = self.arrays.open_slot(memoryview(slot)[:used])
        views = {tensor["name"]: self.arrays.view(opened, offset, tensor)
                 for tensor, offset in zip(job["tensors"], offsets)}
        outputs = [tensor["name"] for tensor in job["tensors"] if tensor["role"] == "output"]
        started = time.perf_counter()
        for entry, arguments in self.steps:
            entry = entry.of(job["integers"]) if isinstance(entry, Model) else entry
            load_weights(entry, views, self.arrays)
            returned = entry(*self.arguments(arguments, views, job))
            values = returned if isinstance(returned, (tuple, list)) else [returned]
            arrays = [value for value in values if self.arrays.is_array(value)]
            for name, value in zip(outputs, arrays):
                if value is not views[name]:
                    self.arrays.copy(views[name], value, name)
        self.arrays.close_slot(memoryview(slot)[:used], opened)
        return (time.perf_counter() - started) * 1e6


def failure_of(error):
    """(kind, text, device lost) of an exception that came out of a kernel."""
    if isinstance(error, Refused):
        return error.kind, error.text, False
    name = type(error).__name__
    # The last line first: whoever shows only the beginning shows what happened.
    text = f"{name}: {error}"[:TEXT_BYTES_MAX // 4] + "\n" + \
        "".join(traceback.format_exception(error))[-TEXT_BYTES_MAX // 2:]
    if name == "CompilationError":
        return "build_failed", text, False
    if name == "OutOfMemoryError":
        return "environment", text, False
    return "crash", text, "CUDA error" in text or name == "AcceleratorError"


def decode_run(message):
    """The job of a `run` message, integers decoded."""
    scalars = message["scalars"]
    attributes = {row["name"]: signed(row["integer"]) if "integer" in row else real(row["float"])
                  for row in scalars["attributes"]}
    tensors = [{"name": row["name"], "role": row["role"], "dtype": row["dtype"],
                "shape": [signed(value) for value in row["shape"]],
                "strides": [signed(value) for value in row["strides"]],
                "offset": signed(row["offset"]), "bytes": signed(row["bytes"])}
               for row in message["tensors"]]
    integers = {axis: signed(value) for axis, value in scalars["axes"].items()}
    integers.update({key: value for key, value in attributes.items() if isinstance(value, int)})
    for tensor in tensors:
        integers[tensor["name"] + ".offset"] = tensor["offset"]
        for axis, stride in enumerate(tensor["strides"]):
            integers[f"{tensor['name']}.stride({axis})"] = stride
    return {"tensors": tensors, "attributes": attributes, "integers": integers}


def done(job, error="pass", text="", lost=False, microseconds=0.0):
    return {"type": "done", "job": job, "error": error, "text": text,
            "times": {"kernel_us": microseconds}, "device_lost": lost}


class Server:
    def __init__(self, options):
        self.control = socket.socket(fileno=options.control)
        self.memory = mmap.mmap(options.memory, os.fstat(options.memory).st_size)
        self.slot_bytes = len(self.memory) // options.slots
        self.kernel = None

    def send(self, message):
        text = json.dumps(message)
        if len(text.encode()) > MESSAGE_BYTES_MAX:
            message["text"] = message.get("text", "")[-1000:]
            text = json.dumps(message)
        self.control.send(text.encode())

    def load(self, message):
        enter_scratch(message["image"])
        try:
            self.kernel = Kernel(message)
        except Exception as error:   # whatever a module does while it is imported
            kind, text, _ = failure_of(error)
            self.send({"type": "refused",
                       "kind": "build_failed" if kind == "crash" else kind, "text": text})
            return False
        self.send({"type": "loaded"})
        return True

    def run(self, message):
        job = message["job"]
        self.send({"type": "begin", "job": job})
        start = message["slot"] * self.slot_bytes
        slot = memoryview(self.memory)[start:start + self.slot_bytes]
        try:
            for _ in range(message.get("repeat", 1)):
                microseconds = self.kernel.run(slot, decode_run(message))
        except Exception as error:
            kind, text, lost = failure_of(error)
            self.send(done(job, kind, text, lost))
            return not lost
        self.send(done(job, microseconds=microseconds))
        return True

    def serve(self):
        found = facts()
        if found["cuda"]:
            import torch
            torch.zeros(1, device="cuda")   # the context: none can be made once files are closed
        if found["triton"]:
            import triton.language           # slow to import, and nothing foreign yet
        found["sandbox"] = {"landlock": landlock_version(), "seccomp": True}
        self.send({"type": "ready", "facts": json.dumps(found)})
        while True:
            data = self.control.recv(MESSAGE_BYTES_MAX + 1)
            message = json.loads(data) if data else {"type": "bye"}
            handler = {"load": self.load, "run": self.run}.get(message["type"])
            if handler is None or not handler(message):
                return


def version(package):
    """Of an installed package, found without importing it; None: there is none."""
    if importlib.util.find_spec(package) is None:
        return None
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def packages():
    return {"device": "python", "python": sys.version.split()[0], "numpy": version("numpy"),
            "torch": version("torch"), "triton": version("triton")}


def facts():
    """What this Python can run; a GPU is looked for only where PyTorch could use one."""
    found = {**packages(), "cuda": False}
    if found["torch"]:
        import torch
        found["cuda"] = torch.cuda.is_available()
        if found["cuda"]:
            found["name"] = torch.cuda.get_device_name()
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--facts", action="store_true")
    parser.add_argument("--packages", action="store_true")
    parser.add_argument("--control", type=int)
    parser.add_argument("--memory", type=int)
    parser.add_argument("--slots", type=int, default=1)
    options = parser.parse_args()
    if options.facts or options.packages:
        print(json.dumps(facts() if options.facts else packages()))
        return
    Server(options).serve()


if __name__ == "__main__":
    main()
