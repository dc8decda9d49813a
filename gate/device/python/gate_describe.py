"""What a KernelBench problem is: run at a few small sizes, which tell which dimension of which
tensor is which size."""
# SPDX-License-Identifier: Apache-2.0
import inspect
import traceback

from gate_problem import Malformed, Problem

PRIMES = (7, 11, 13, 17, 19, 23, 29, 31)
STEPS = (1, 2, 4, 8, 16, 32, 64)       # sizes that a problem refuses are tried as multiples


def facts_of(value):
    """dtype, shape and layout of one tensor; None for what is none."""
    shape = getattr(value, "shape", None)
    dtype = getattr(value, "dtype", None)
    if shape is None or dtype is None:
        return None
    strides = value.stride() if callable(getattr(value, "stride", None)) else \
        [stride // value.itemsize for stride in value.strides]
    turned = len(shape) >= 2 and strides[-1] != 1 and strides[-2] == 1 and shape[-1] > 1
    low, high = 0, 0
    name = str(dtype).replace("torch.", "")
    if "int" in name and min(shape, default=0) > 0:
        low, high = int(value.min()), int(value.max())
    return {"dtype": name, "shape": [int(size) for size in shape],
            "layout": "transposed" if turned else "contiguous", "low": low, "high": high}


class Probe:
    """One execution at given sizes."""

    def __init__(self, problem, sizes):
        module = problem.module(sizes)
        if "torch" in module.__dict__:
            module.torch.manual_seed(0)
        inputs = module.get_inputs()
        if not isinstance(inputs, (list, tuple)) or not inputs:
            raise Malformed("get_inputs() returns no list of tensors",
                            problem.lines["get_inputs"], "return [x, y, …]")
        self.sizes = {**problem.nodes, **sizes}
        model, weights = problem.model(sizes)
        forward = getattr(model, "forward", model)
        names = list(inspect.signature(forward).parameters)
        self.inputs = {}
        for position, value in enumerate(inputs):
            name = names[position] if position < len(names) else f"input{position}"
            found = facts_of(value)
            if found is None:
                raise Malformed(f"input '{name}' of get_inputs() is a "
                                f"{type(value).__name__}, not a tensor",
                                problem.lines["get_inputs"],
                                "numbers belong into get_init_inputs()")
            self.inputs[name] = found
        self.weights = {name: facts_of(value) for name, value in weights.items()}
        returned = forward(*inputs) if not callable(model) else model(*inputs)
        values = returned if isinstance(returned, (list, tuple)) else [returned]
        self.outputs = {("y" if len(values) == 1 else f"y{i}"): facts_of(value)
                        for i, value in enumerate(values)}
        if None in self.outputs.values():
            raise Malformed("forward() returns something that is no tensor",
                            problem.lines["Model"])

    def shapes(self):
        return {**self.inputs, **self.weights, **self.outputs}


def line_of(error, source):
    """The last line of the file on the way to the error, or 0."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if frame.filename == source]
    return lines[-1] if lines else 0


def small_sizes(names, step, turn):
    return {name: step * PRIMES[(i + turn) % len(PRIMES)] for i, name in enumerate(names)}


def run_probes(problem, names):
    """Probes at two sets of small sizes that the problem takes, and their common step."""
    first = None
    for step in STEPS:
        try:
            return [Probe(problem, small_sizes(names, step, turn)) for turn in (0, 3)], step
        except (Malformed, ModuleNotFoundError):
            raise
        except Exception as error:   # sizes that do not divide, windows that do not fit
            first = first or error
    raise Malformed(f"does not run at any small sizes: {type(first).__name__}: {first}",
                    line_of(first, problem.source) or problem.lines["Model"],
                    "its sizes are the module-level integers " + ", ".join(names))


def expression_of(values, probes, names):
    """One dimension as text: an axis, a number, a sum or a product; None where nothing fits."""
    def fits(compute):
        return all(compute(probe.sizes) == value for probe, value in zip(probes, values))
    for name in names:
        if fits(lambda sizes, name=name: sizes[name]):
            return name
    if len(set(values)) == 1:
        return str(values[0])
    for name in names:
        more = values[0] - probes[0].sizes[name]
        if fits(lambda sizes, name=name, more=more: sizes[name] + more):
            return f"{name} {'+' if more > 0 else '-'} {abs(more)}"
        for factor in (2, 3, 4, 8):
            if fits(lambda sizes, name=name, factor=factor: sizes[name] * factor):
                return f"{name} * {factor}"
            if fits(lambda sizes, name=name, factor=factor: sizes[name] // factor):
                return f"{name} / {factor}"
    for one in names:
        for other in names:
            if fits(lambda sizes, one=one, other=other: sizes[one] * sizes[other]):
                return f"{one} * {other}"
            if fits(lambda sizes, one=one, other=other: sizes[one] + sizes[other]):
                return f"{one} + {other}"
    return None


def axes_of(probes, names):
    """Sizes that are a dimension of something by themselves."""
    found = []
    for name in names:
        for tensor in probes[0].shapes():
            shapes = [probe.shapes()[tensor]["shape"] for probe in probes]
            same_rank = len(shapes[0]) == len(shapes[1])
            if same_rank and any(all(shape[i] == probe.sizes[name]
                                     for shape, probe in zip(shapes, probes))
                                 for i in range(len(shapes[0]))):
                found.append(name)
                break
    return found


def tensor_rows(problem, probes, axes, part):
    rows = []
    for name, first in getattr(probes[0], part).items():
        others = [getattr(probe, part)[name] for probe in probes]
        shape = []
        for place in range(len(first["shape"])):
            text = expression_of([other["shape"][place] for other in others], probes, axes)
            if text is None:
                raise Malformed(f"dimension {place} of '{name}' follows no module-level size",
                                problem.lines["get_inputs" if part == "inputs" else "Model"],
                                "write op.toml by hand, with this file as reference.py")
            shape.append(text)
        below = [axis for axis in axes
                 if all(other["low"] >= 0 and other["high"] < probe.sizes[axis] and
                        axis not in shape for other, probe in zip(others, probes))]
        rows.append({"name": name, "dtype": first["dtype"], "shape": shape,
                     "layout": first["layout"], "below": below[0] if below else "",
                     "high": max(other["high"] for other in others)})
    return rows


def describe(source):
    """A JSON value: what the file is, or what is wrong with it."""
    try:
        problem = Problem(source)
        problem.check()
        names = list(problem.nodes)
        # First every size moves; those that are no dimension then stay what the file says.
        try:
            probes, step = run_probes(problem, names)
        except Malformed:
            names = moving_sizes(problem, names)
            probes, step = run_probes(problem, names)
        axes = axes_of(probes, names)
        if set(axes) != set(names):
            probes, step = run_probes(problem, axes)
        return {"axes": [{"name": name, "value": problem.nodes[name],
                          "line": problem.lines[name]} for name in axes],
                "fixed": [{"name": name, "value": value, "line": problem.lines[name]}
                          for name, value in problem.nodes.items() if name not in axes],
                "step": step, "line": problem.lines["Model"],
                **{part: tensor_rows(problem, probes, axes, part)
                   for part in ("inputs", "weights", "outputs")}}
    except Malformed as error:
        return {"error": str(error), "line": error.line, "hint": error.hint}
    except ModuleNotFoundError as error:
        return {"missing": error.name}


def moving_sizes(problem, names):
    """Sizes of inputs, and those of weights and outputs that can move with them."""
    moving = sizes_of_inputs(problem, names)
    for name in names:
        if name in moving:
            continue
        try:
            probes, _ = run_probes(problem, [*moving, name])
        except Malformed:   # a window, a group, the number of a dimension
            continue
        if name in axes_of(probes, [*moving, name]):
            moving.append(name)
    return moving


def sizes_of_inputs(problem, names):
    """Sizes that move an input, one at a time; the others may be windows, groups or flags."""
    moving = []
    for name in names:
        try:
            module = problem.module(small_sizes(names, 16, 0))
            other = problem.module({**small_sizes(names, 16, 0), name: 16 * 37})
            if [facts_of(value) for value in module.get_inputs()] != \
                    [facts_of(value) for value in other.get_inputs()]:
                moving.append(name)
        except (Malformed, ModuleNotFoundError):
            raise
        except Exception:   # it decides something else
            continue
    return moving
