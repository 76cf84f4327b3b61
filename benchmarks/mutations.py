"""Small faults that a test should notice, made in the syntax tree of a module: what `mutants.py` plants one at a time.

A mutation replaces one expression or statement and leaves the rest of the file as it is, so line numbers stay true.
Left alone is what no test should pin: docstrings, annotations, decorators, texts of errors and other sentences,
f-strings (Python 3.11 does not know where their parts are) and the default values of settings.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_Code = ast.expr | ast.stmt
_ANNOTATIONS = {"annotation", "returns", "decorator_list", "type_comment", "bases"}
_TEXTS_AND_TYPES = {"TypeVar", "NewType", "cast", "warn", "warning", "info", "debug", "print"}  # calls left alone
_SYMMETRIC = {"min", "max", "minimum", "maximum", "add", "multiply", "union1d", "gcd"}  # in their first two arguments
_SAFEGUARDS = {"strict", "encoding"}  # keywords that matter where something else is wrong already
_SETTINGS = ("Config", "Settings")  # dataclasses whose default values are tuned, not derived
_OTHER_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_OTHER_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_OPPOSITES = {
    one: other
    for pair in (("min", "max"), ("minimum", "maximum"), ("argmin", "argmax"), ("any", "all"))
    for one, other in (pair, pair[::-1])
}


@dataclass(frozen=True)
class Mutation:
    """One fault: the bytes from `start` to `end` of a module become `after`."""

    line: int
    before: str
    after: str
    start: int
    end: int

    def applied(self, source: bytes) -> bytes:
        """Return the module with the fault in it."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def mutations(source: bytes) -> list[Mutation]:
    """Return every fault that can be made in a module, in the order of its lines."""
    line_starts = [0]
    for line in source.splitlines(keepends=True):
        line_starts.append(line_starts[-1] + len(line))
    faults = []
    for node in _mutable(ast.parse(source)):
        for part, other in _replacements(node):
            start = line_starts[part.lineno - 1] + part.col_offset
            end = line_starts[(part.end_lineno or part.lineno) - 1] + (part.end_col_offset or 0)
            # Parentheses keep the replacement one operand of whatever stands around it.
            text = f"({ast.unparse(other)})" if isinstance(other, ast.expr) else ast.unparse(other)
            faults.append(Mutation(part.lineno, source[start:end].decode(), text, start, end))
    return sorted(set(faults), key=lambda fault: (fault.start, fault.end, fault.after))


def _mutable(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that may be changed, from the top down."""
    for field, value in ast.iter_fields(node):
        if field in _ANNOTATIONS:
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_left_alone(child) or _is_setting(node, child):
                continue
            if isinstance(child, ast.keyword) and child.arg in _SAFEGUARDS:
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test) in {"TYPE_CHECKING", "__name__ == '__main__'"}:
                continue
            yield child
            yield from _mutable(child)


def _is_left_alone(node: ast.AST) -> bool:
    if isinstance(node, (ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom)):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):  # a docstring
        return True
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)
    if isinstance(node, ast.Call):
        name = _name_of(node.func)
        return name.endswith("Error") or name in _TEXTS_AND_TYPES
    return isinstance(node, ast.Subscript) and _name_of(node.value) == "Literal"


def _is_setting(parent: ast.AST, child: ast.AST) -> bool:
    return isinstance(parent, ast.ClassDef) and parent.name.endswith(_SETTINGS) and isinstance(child, ast.AnnAssign)


def _name_of(function: ast.expr) -> str:
    """Return the last part of a dotted name."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _replacements(node: ast.AST) -> Iterator[tuple[_Code, _Code]]:
    """Yield the parts of a node that may be replaced, each with what may stand in its place."""
    match node:
        case ast.Constant():
            yield from ((node, other) for other in _other_constants(node))
        case ast.Compare():
            yield from ((node, other) for other in _other_comparisons(node))
        case ast.BinOp() if type(node.op) in _OTHER_ARITHMETIC:
            yield node, ast.BinOp(node.left, _OTHER_ARITHMETIC[type(node.op)](), node.right)
        case ast.UnaryOp():
            yield node, node.operand
        case ast.BoolOp():
            yield node, ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        case ast.Call():
            yield from ((node, other) for other in _other_calls(node))
        case ast.Slice():
            # A bound that is a number is moved by the number's own mutation.
            bounds = [bound for bound in (node.lower, node.upper) if bound and not isinstance(bound, ast.Constant)]
            yield from ((bound, ast.BinOp(bound, ast.Add(), ast.Constant(1))) for bound in bounds)
        case ast.If() | ast.While() | ast.IfExp():
            yield from _turned([node.test])
        case ast.comprehension():
            yield from _turned(node.ifs)
        case ast.Break():
            yield node, ast.Continue()
        case ast.Continue():
            yield node, ast.Break()
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield node, ast.Return(ast.Constant(None))


def _turned(conditions: list[ast.expr]) -> Iterator[tuple[_Code, _Code]]:
    """Negate conditions that are not turned around by the mutations of their own operator."""
    for condition in conditions:
        is_negation = isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not)
        if not isinstance(condition, ast.Compare) and not is_negation:
            yield condition, ast.UnaryOp(ast.Not(), condition)


def _other_comparisons(node: ast.Compare) -> Iterator[ast.expr]:
    for place, operator in enumerate(node.ops):
        for other in _OTHER_COMPARISONS[type(operator)]:
            yield ast.Compare(node.left, [*node.ops[:place], other(), *node.ops[place + 1 :]], node.comparators)


def _other_constants(node: ast.Constant) -> Iterator[ast.expr]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, (int, float)):
        yield ast.Constant(value + 1)
    elif isinstance(value, str) and value and not _is_sentence(value):
        yield ast.Constant("")


def _is_sentence(text: str) -> bool:
    return text.count(" ") >= 3 and (text[0].isupper() or text.rstrip().endswith((".", ":", ";", "!", "?")))


def _other_calls(call: ast.Call) -> Iterator[ast.expr]:
    name = _name_of(call.func)
    if name in _OPPOSITES:
        function = copy.deepcopy(call.func)
        setattr(function, "attr" if isinstance(function, ast.Attribute) else "id", _OPPOSITES[name])
        yield ast.Call(function, call.args, call.keywords)
    if name == "sorted" or (name == "sort" and not call.args):
        yield _other_order(call)
    elif name in {"sort", "argsort"}:
        yield ast.Subscript(call, ast.Slice(step=ast.UnaryOp(ast.USub(), ast.Constant(1))))
    positional = [not isinstance(argument, ast.Starred) for argument in call.args]
    exchangeable = len(positional) >= 2 and all(positional[:2]) and name not in _SYMMETRIC
    if exchangeable and ast.dump(call.args[0]) != ast.dump(call.args[1]):
        yield ast.Call(call.func, [call.args[1], call.args[0], *call.args[2:]], call.keywords)
    if len(positional) >= 2 and positional[-1]:
        yield ast.Call(call.func, call.args[:-1], call.keywords)
    for place, keyword in enumerate(call.keywords):
        if keyword.arg is not None and keyword.arg not in _SAFEGUARDS:
            yield ast.Call(call.func, call.args, call.keywords[:place] + call.keywords[place + 1 :])


def _other_order(call: ast.Call) -> ast.Call:
    """Sort the other way round."""
    others = [keyword for keyword in call.keywords if keyword.arg != "reverse"]
    if len(others) == len(call.keywords):
        others.append(ast.keyword("reverse", ast.Constant(True)))
    return ast.Call(call.func, call.args, others)
