"""References in Python: run once in fp64 for the value, once in the kernel's precision for the
limits of the fallback rule, 4·max(|y_lp − y|, u_out·|y|) + 3·rms(y_lp − y): no error model."""
# SPDX-License-Identifier: Apache-2.0
import inspect

from arrays import Refused, wants_torch
from gate_problem import Problem, torch_in_fp64

NUMPY_FLOATS = {"f64": "float64", "f32": "float32", "f16": "float16"}
TORCH_FLOATS = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16",
                "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2"}


def values_for(function, own, inputs, scalars):
    """Arguments of a call: by name where every name is known, else the inputs in their order."""
    known = {**scalars, **inputs}
    parameters = [p for p in inspect.signature(function).parameters.values()
                  if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = [p for p in parameters if p.default is p.empty]
    if all(p.name in known for p in required):
        return [], {p.name: known[p.name] for p in parameters if p.name in known}
    if len(required) <= len(own) <= len(parameters):
        return [inputs[name] for name in own], {}
    unknown = next(p.name for p in required if p.name not in known)
    raise Refused("crash", f"parameter '{unknown}' of the reference is no input, attribute or "
                           f"axis; they are {', '.join(known)}")


class NumpySide:
    """NumPy has no bfloat16 and no fp8: their low precision is float32."""

    def __init__(self):
        import numpy
        self.numpy = numpy

    def read(self, slot, start, tensor):
        """The tensor's values, exactly, as float64, integers or booleans; and its own precision."""
        numpy, dtype = self.numpy, tensor["dtype"]
        names = {**NUMPY_FLOATS, "bf16": "uint16", "i8": "int8", "u8": "uint8", "i32": "int32",
                 "i64": "int64", "bool": "bool"}
        if dtype not in names:
            raise Refused("unsupported", f"a NumPy reference cannot read {dtype}; use PyTorch")
        kind = numpy.dtype(names[dtype])
        flat = numpy.frombuffer(slot, kind, tensor["bytes"] // kind.itemsize, start)
        view = numpy.lib.stride_tricks.as_strided(
            flat[tensor["offset"]:], tensor["shape"],
            [stride * kind.itemsize for stride in tensor["strides"]]).copy()
        if dtype == "bf16":
            view = (view.astype(numpy.uint32) << 16).view(numpy.float32)
        return view

    def wide(self, value, _):
        return value.astype(self.numpy.float64) if value.dtype.kind == "f" else value

    def low(self, value, _):
        return value

    def fp64(self):
        return self.numpy.errstate(all="ignore")

    def plain(self):
        return self.numpy.errstate(all="ignore")

    def result(self, value):
        return self.numpy.asarray(value)


class TorchSide:
    """On the CPU: the same values on every machine."""

    def __init__(self):
        import numpy
        import torch
        self.numpy, self.torch = numpy, torch
        torch.use_deterministic_algorithms(True, warn_only=True)

    def read(self, slot, start, tensor):
        torch = self.torch
        names = {**TORCH_FLOATS, "i8": "int8", "u8": "uint8", "i32": "int32", "i64": "int64",
                 "bool": "bool"}
        flat = torch.frombuffer(slot, dtype=torch.uint8, count=tensor["bytes"], offset=start)
        return flat.view(getattr(torch, names[tensor["dtype"]])).as_strided(
            tensor["shape"], tensor["strides"], tensor["offset"]).clone()

    def wide(self, value, _):
        return value.double() if value.is_floating_point() else value

    def low(self, value, _):
        return value

    def fp64(self):
        self.torch.manual_seed(0)
        return torch_in_fp64()

    def plain(self):
        self.torch.manual_seed(0)
        return self.torch.no_grad()

    def result(self, value):
        value = self.torch.as_tensor(value).detach()
        value = value.double() if value.is_floating_point() else value
        return value.cpu().contiguous().numpy()


class Reference:
    """What stands in an op's reference.py: a function `reference` or `run`, or a KernelBench
    problem with its Model, whose module-level sizes are the axes."""

    def __init__(self, module, source):
        self.side = TorchSide() if wants_torch(source) else NumpySide()
        self.function = getattr(module, "reference", None) or getattr(module, "run", None)
        self.problem = None
        if self.function is None and hasattr(module, "Model"):
            self.problem = Problem(source)
        if self.function is None and self.problem is None:
            raise Refused("build_failed", f"{source}: no function 'reference' or 'run' and no "
                                          "class Model")

    def prepared(self, inputs, scalars):
        """The function to call and the names of the inputs that are its own."""
        if self.problem is None:
            return self.function, list(inputs)
        kinds = [value.dtype for value in inputs.values()
                 if hasattr(value, "is_floating_point") and value.is_floating_point()]
        model, weights = self.problem.model(scalars, kinds[0] if kinds else None)
        for name, weight in weights.items():
            if name in inputs:
                self.problem.load(weight, inputs[name])
        own = [name for name in inputs if name not in weights]
        return model if callable(model) else model.forward, own

    def call(self, inputs, scalars, wide):
        with self.side.fp64() if wide else self.side.plain():
            function, own = self.prepared(inputs, scalars)
            target = getattr(function, "forward", function)
            positional, named = values_for(target, own, inputs, scalars)
            returned = function(*positional, **named)
        if isinstance(returned, dict):
            return returned
        return list(returned) if isinstance(returned, (tuple, list)) else [returned]

    def outputs(self, tensors, returned):
        """Output name -> array, in the op's order or by the names of a returned dictionary."""
        names = [t["name"][:-len(".value")] for t in tensors if t["name"].endswith(".value")]
        shapes = {t["name"][:-len(".value")]: t["shape"] for t in tensors
                  if t["name"].endswith(".value")}
        if not isinstance(returned, dict):
            if len(returned) < len(names):
                raise Refused("crash", f"the reference returns {len(returned)} of {len(names)} "
                                       "outputs")
            returned = dict(zip(names, returned))
        found = {}
        for name in names:
            if name not in returned:
                raise Refused("crash", f"the reference does not return '{name}'")
            value = self.side.result(returned[name])
            if list(value.shape) != list(shapes[name]):
                raise Refused("crash", f"the reference returns shape {list(value.shape)} for "
                                       f"{name} {list(shapes[name])}")
            found[name] = value
        return found

    def run(self, slot, offsets, job):
        tensors = job["tensors"]
        read = {t["name"]: self.side.read(slot, offset, t)
                for t, offset in zip(tensors, offsets) if t["role"] == "input"}
        scalars = {name: value for name, value in {**job["integers"], **job["attributes"]}.items()
                   if "." not in name and "(" not in name}
        exact = self.outputs(tensors, self.call(
            {name: self.side.wide(value, name) for name, value in read.items()}, scalars, True))
        low = self.outputs(tensors, self.call(
            {name: self.side.low(value, name) for name, value in read.items()}, scalars, False))
        answers = {}
        for name, value in exact.items():
            answers.update(self.answer(name, value, low[name], job))
        for tensor, offset in zip(tensors, offsets):
            if tensor["name"] in answers:
                data = answers[tensor["name"]].tobytes()
                slot[offset:offset + len(data)] = data

    def answer(self, name, value, low, job):
        import numpy
        wide = numpy.ascontiguousarray(value, dtype=numpy.float64)
        answers = {name + ".value": wide,
                   name + ".free": numpy.zeros(wide.shape, numpy.uint8)}
        if any(t["name"] == name + ".integers" for t in job["tensors"]):
            return {**answers, **integer_answers(name, value, low)}
        unit = job["attributes"].get(name + ".unit", 2.0 ** -24)
        with numpy.errstate(all="ignore"):
            # Where both are the same infinity or NaN there is no difference.
            off = numpy.abs(low.astype(numpy.float64) - wide)
            off[(low == wide) | (numpy.isnan(low) & numpy.isnan(wide))] = 0
            finite = off[numpy.isfinite(off)]
            rms = float(numpy.sqrt(numpy.mean(finite * finite))) if finite.size else 0.0
            envelope = 4 * numpy.maximum(off, unit * numpy.abs(wide)) + 3 * rms
        envelope[~numpy.isfinite(wide)] = 0   # judged by class alone
        return {**answers, name + ".envelope": envelope}


def integer_answers(name, value, low):
    """Integers are exact; where the low precision decides otherwise, that is legal too."""
    import numpy
    integers = numpy.ascontiguousarray(value).astype(numpy.int64)
    also = numpy.full(integers.shape + (4,), numpy.iinfo(numpy.int64).min, numpy.int64)
    other = low.astype(numpy.int64)
    also[..., 0] = numpy.where(other == integers, also[..., 0], other)
    return {name + ".integers": integers, name + ".also": also,
            name + ".envelope": numpy.zeros(integers.shape)}
