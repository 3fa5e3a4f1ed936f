"""What a refusal says, where a variable, a function that makes refusals or a class of moto says it."""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from refusal_sites import OURS
from source_graph import Function, Place, SourceGraph

DEPTH = 2
"""Functions that make refusals are made of others, so deep at most."""


def written_out(graph: SourceGraph, place: Place, node: ast.Raise) -> ast.expr:
    """What a function raises, with its variables and what makes the refusal put in."""
    known = {**_constants(graph, place[0]), **dict(_assigned(graph.functions[place], node.lineno))}
    made: ast.expr = _put_in(node.exc, known)
    for _ in range(DEPTH):
        inner = _inside(graph, place[0], made)
        if inner is None or ast.unparse(inner.func) in OURS:
            break
        made = inner
    return made


class _PutIn(ast.NodeTransformer):
    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.known.get(node.id, node))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.JoinedStr:
        parts: list[ast.expr] = []
        for part in node.values:
            new = self.visit(part.value) if isinstance(part, ast.FormattedValue) else part
            if isinstance(new, ast.JoinedStr):
                parts += new.values
            else:
                parts.append(ast.Constant(str(new.value)) if isinstance(new, ast.Constant) else part)
        return ast.JoinedStr(values=parts)


def _put_in(part: Any, known: Mapping[str, ast.expr]) -> Any:
    return _PutIn(known).visit(copy.deepcopy(part))


def _constants(graph: SourceGraph, module: str) -> dict[str, ast.expr]:
    named = ((name, graph.variables.get(place)) for name, place in graph.names[module].items())
    return {name: value for name, value in named if isinstance(value, ast.Constant)}


def _assigned(function: ast.AST, line: int) -> Iterator[tuple[str, ast.expr]]:
    """Texts that variables were set to before the line."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and node.lineno < line and isinstance(node.value, ast.Constant | ast.JoinedStr):
            yield ast.unparse(node.targets[0]), node.value


def _inside(graph: SourceGraph, module: str, call: ast.expr) -> ast.Call | None:
    """The call that makes the exception, inside of a function of ours or a class of moto; None for other calls."""
    name = ast.unparse(call.func if isinstance(call, ast.Call) else call)
    place = graph.names[module].get(name)
    maker = graph.functions.get(place) if place is not None else None
    if maker is not None:
        made = next((each.value for each in ast.walk(maker) if isinstance(each, ast.Return)), None)
    elif (maker := _start_of(module, name)) is not None:
        made = next((each for each in ast.walk(maker) if isinstance(each, ast.Call) and _has_code(each)), None)
    if maker is None or not isinstance(made, ast.Call):
        return None
    known = {**dict(_assigned(maker, made.lineno)), **_arguments(maker, call)}
    inner: ast.Call = _put_in(_put_in(made, known), known)  # what variables were set to has arguments in it
    return inner


def _start_of(module: str, name: str) -> Function | None:
    """``__init__`` of a class of moto."""
    kind = getattr(importlib.import_module(module), name, None)
    if not inspect.isclass(kind) or not kind.__module__.startswith("moto."):
        return None
    (start,) = ast.parse(textwrap.dedent(inspect.getsource(kind.__init__))).body
    return start if isinstance(start, Function) else None


def _has_code(call: ast.Call) -> bool:
    return ast.unparse(call.func) == "super().__init__" and isinstance(next(iter(call.args), None), ast.Constant)


def _arguments(maker: Function, call: ast.expr) -> dict[str, ast.expr]:
    if not isinstance(call, ast.Call):
        return {}
    names = [each.arg for each in maker.args.args if each.arg != "self"]
    given = {**dict(zip(names, call.args, strict=False)), **{str(each.arg): each.value for each in call.keywords}}
    return {name: value for name, value in given.items() if isinstance(value, ast.Constant | ast.JoinedStr)}
