"""KernelBench problem files: module-level sizes, `Model`, `get_inputs()`, `get_init_inputs()`."""
# SPDX-License-Identifier: Apache-2.0
import ast
import contextlib
import copy
import types

class Malformed(Exception):
    """What is wrong with a problem file, where, and what to do about it."""

    def __init__(self, text, line=0, hint=""):
        super().__init__(text)
        self.line, self.hint = line, hint


@contextlib.contextmanager
def torch_in_fp64():
    """Casts to narrower floats, and new tensors of them, become fp64 ones."""
    import torch
    from torch.overrides import TorchFunctionMode
    narrow = {torch.float32, torch.float16, torch.bfloat16}
    casts = {"float", "half", "bfloat16"}

    def widened(value):
        return torch.float64 if isinstance(value, torch.dtype) and value in narrow else value

    class InFp64(TorchFunctionMode):
        def __torch_function__(self, function, kinds, arguments=(), options=None):
            options = {name: widened(value) for name, value in (options or {}).items()}
            if getattr(function, "__name__", "") in casts:
                return arguments[0].double()
            return function(*[widened(value) for value in arguments], **options)

    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with torch.no_grad(), InFp64():
            yield
    finally:
        torch.set_default_dtype(before)


def whole_number(node):
    """The value of an integer made of literals only, or None."""
    try:
        value = eval(compile(ast.Expression(node), "size", "eval"), {"__builtins__": {}})
    except Exception:   # a name, a call: no size
        return None
    return value if type(value) is int and value > 0 else None


class Problem:
    def __init__(self, source):
        self.source = source
        with open(source, encoding="utf-8") as file:
            self.tree = ast.parse(file.read(), source)
        self.nodes = {}
        self.lines = {}
        for node in self.tree.body:
            named = isinstance(node, (ast.Assign, ast.AnnAssign))
            target = (node.targets[0] if isinstance(node, ast.Assign) else node.target) if named \
                else None
            if isinstance(target, ast.Name) and node.value is not None:
                value = whole_number(node.value)
                if value is not None:
                    self.nodes[target.id], self.lines[target.id] = value, node.lineno
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.lines[node.name] = node.lineno

    def check(self):
        for name, what in (("Model", "class"), ("get_inputs", "function")):
            if not any(getattr(node, "name", None) == name for node in self.tree.body):
                raise Malformed(f"no {what} '{name}' at the top level", 1,
                                "a KernelBench problem has class Model, get_inputs() and "
                                "get_init_inputs()")

    def module(self, sizes):
        """The file, executed with these module-level sizes."""
        tree = copy.deepcopy(self.tree)
        for node in tree.body:
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if isinstance(target, ast.Name) and target.id in self.nodes:
                    value = sizes.get(target.id, self.nodes[target.id])
                    node.value = ast.copy_location(ast.Constant(value), node.value)
        module = types.ModuleType("gate_problem")
        module.__file__ = self.source
        exec(compile(ast.fix_missing_locations(tree), self.source, "exec"), module.__dict__)
        return module

    def model(self, sizes, dtype=None):
        """A Model of these sizes and precision, and its weights by the names of inputs."""
        module = self.module({name: sizes[name] for name in self.nodes if name in sizes})
        arguments = module.get_init_inputs() if hasattr(module, "get_init_inputs") else []
        model = module.Model(*arguments)
        if hasattr(model, "eval"):
            model = model.eval()
        if dtype is not None and hasattr(model, "to"):
            model = model.to(dtype)
        state = model.state_dict() if hasattr(model, "state_dict") else {}
        return model, {key.replace(".", "_"): weight for key, weight in state.items()}

    @staticmethod
    def load(weight, value):
        weight.copy_(value)
