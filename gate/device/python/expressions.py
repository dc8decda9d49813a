"""Integer expressions of kernel files, as gate/base/expression.h defines them."""
# SPDX-License-Identifier: Apache-2.0
import ast
import operator


def _divide(a, b):
    """Truncates towards zero, as C does."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _next_pow2(value):
    return 1 if value <= 1 else 1 << (value - 1).bit_length()


FUNCTIONS = {"ceil_div": lambda a, b: -(-a // b), "min": min, "max": max, "next_pow2": _next_pow2}
BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
          ast.Div: _divide, ast.Mod: lambda a, b: a - b * _divide(a, b)}
COMPARE = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
           ast.Gt: operator.gt, ast.GtE: operator.ge}


def _name(node):
    """The name that a node spells: rows, x.offset, x.stride(0); or None."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 1:
        return f"{_name(node.func)}({ast.unparse(node.args[0])})"
    return None


def evaluate(text, values):
    """The integer value of `text`; KeyError for an unknown name."""
    return _value(ast.parse(text.strip(), mode="eval").body, values)


def _value(node, values):
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    name = _name(node)
    if name is not None:
        return values[name]
    if isinstance(node, ast.BinOp):
        return BINARY[type(node.op)](_value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, values)
        return int(not inner) if isinstance(node.op, ast.Not) else -inner
    if isinstance(node, ast.BoolOp):
        parts = [bool(_value(part, values)) for part in node.values]
        return int(all(parts) if isinstance(node.op, ast.And) else any(parts))
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = _value(node.left, values), _value(node.comparators[0], values)
        return int(COMPARE[type(node.ops[0])](left, right))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return FUNCTIONS[node.func.id](*[_value(part, values) for part in node.args])
    raise ValueError(f"not an integer expression: {ast.unparse(node)}")
