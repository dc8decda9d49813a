"""Tensors of a slot as NumPy or PyTorch arrays: real views, with fresh memory poisoned."""
# SPDX-License-Identifier: Apache-2.0
import ast
import os


class Refused(Exception):
    """A kernel that cannot be loaded or called: the kind and the words of a verdict."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind, self.text = kind, text


def wants_torch(source, seen=None):
    """Whether a file, or a neighbour that it imports, uses PyTorch or Triton. Asked of the text:
    the worker itself has PyTorch loaded where there is a GPU."""
    seen = set() if seen is None else seen
    seen.add(source)
    with open(source, encoding="utf-8") as file:
        tree = ast.parse(file.read(), source)
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    if names & {"torch", "triton"}:
        return True
    neighbours = [os.path.join(os.path.dirname(source), name + ".py") for name in sorted(names)]
    return any(os.path.isfile(file) and file not in seen and wants_torch(file, seen)
               for file in neighbours)


class NumpyArrays:
    """Tensors as NumPy views straight into the slot."""

    names = {"f64": "float64", "f32": "float32", "f16": "float16", "i8": "int8", "u8": "uint8",
             "i32": "int32", "i64": "int64", "bool": "bool"}

    def __init__(self):
        import numpy
        self.numpy = numpy
        # Memory that nobody wrote must not look like an answer.
        for name in ("empty", "empty_like"):
            setattr(numpy, name, self.poisoning(getattr(numpy, name)))

    def poisoning(self, allocate):
        def poisoned(*arguments, **options):
            array = allocate(*arguments, **options)
            if array.dtype.kind in "fc":
                array.fill(self.numpy.nan)
            elif array.dtype.kind in "iu":
                array.fill(0x5A)
            return array
        return poisoned

    def open_slot(self, slot):
        return slot

    def view(self, slot, start, tensor):
        if tensor["dtype"] not in self.names:
            raise Refused("unsupported", f"NumPy has no {tensor['dtype']}")
        dtype = self.numpy.dtype(self.names[tensor["dtype"]])
        flat = self.numpy.frombuffer(slot, dtype, tensor["bytes"] // dtype.itemsize, start)
        return self.numpy.lib.stride_tricks.as_strided(
            flat[tensor["offset"]:], tensor["shape"],
            [stride * dtype.itemsize for stride in tensor["strides"]])

    def copy(self, to, value, name):
        value = self.numpy.asarray(value)
        if value.shape != to.shape:
            raise Refused("crash", f"returned shape {list(value.shape)} for {name} "
                                   f"{list(to.shape)}")
        to[...] = value

    def close_slot(self, slot, opened):
        pass

    def is_array(self, value):
        return isinstance(value, (self.numpy.ndarray, self.numpy.generic))


class TorchArrays:
    """Tensors as PyTorch views of a copy of the whole slot on the GPU (or in place without one)."""

    names = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16",
             "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "i8": "int8", "u8": "uint8",
             "i32": "int32", "i64": "int64", "bool": "bool"}

    def __init__(self):
        import torch
        self.torch = torch
        self.gpu = torch.cuda.is_available()
        # Fills torch.empty with NaN and large integers: stale memory must not look like an answer.
        torch.use_deterministic_algorithms(True, warn_only=True)
        torch.utils.deterministic.fill_uninitialized_memory = True
        torch.manual_seed(0)

    def open_slot(self, slot):
        flat = self.torch.frombuffer(slot, dtype=self.torch.uint8)
        return flat.cuda() if self.gpu else flat

    def view(self, slot, start, tensor):
        dtype = getattr(self.torch, self.names[tensor["dtype"]])
        flat = slot[start:start + tensor["bytes"]].view(dtype)
        # PyTorch counts an offset that is given from the start of the whole storage, the slot.
        return flat.as_strided(tensor["shape"], tensor["strides"],
                               flat.storage_offset() + tensor["offset"])

    def copy(self, to, value, name):
        if tuple(value.shape) != tuple(to.shape):
            raise Refused("crash", f"returned shape {list(value.shape)} for {name} "
                                   f"{list(to.shape)}")
        to.copy_(value)

    def close_slot(self, slot, opened):
        if self.gpu:
            self.torch.cuda.synchronize()
            self.torch.frombuffer(slot, dtype=self.torch.uint8).copy_(opened)

    def is_array(self, value):
        return self.torch.is_tensor(value)
