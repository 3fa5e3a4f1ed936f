"""The mutants: each refusal of the local AWS and each rule can be left out of a running process, one at a time.

``install`` must run before anything of the local AWS is imported: its modules are then compiled with
``if not met(name):`` before each ``raise`` of a refusal.
"""

from __future__ import annotations

import ast
import importlib.machinery
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

MUTATED = (
    *("local_aws.cloudformation", "local_aws.engine", "local_aws.handlers", "local_aws.services"),
    *("local_aws.quotas", "local_aws.reservations"),
    *("local_aws.launches", "local_aws.launch", "local_aws.http.protocol"),
)
"""Packages and modules of which an API error can come."""
NO_API_ERRORS = frozenset(
    {
        *("RuntimeError", "AssertionError", "LookupError", "NotImplementedError", "ResourceFailedError"),
        *("DeploymentFailedError", "Stopping", "AliasInTemplate", "NotDerivedError"),
    }
)
"""Exceptions that no caller of an API sees."""
PROJECT = Path(__file__).parents[2]
OWN_CALLS = "local_aws.http.in_process_transport"
MET = "_mutant_is_left_out"
"""Name of ``Mutants.meet`` in the modules."""


class Mutants:
    """Which there are, which tests meet them, and which one is at work."""

    def __init__(self) -> None:
        self.met_by: dict[str, set[str]] = {}
        """Node ids of tests by mutant; one that is in the code and not met has an empty set."""
        self.test = ""
        """Node id of the running test; empty while modules are imported."""
        self.at_work = ""
        """The mutant that is left out; empty for none."""
        self.meetings = 0
        """How often any was met, by any test."""

    def new(self, name: str) -> str:
        """Registers a mutant; a second one of the same name gets a number."""
        mutant, number = name, 1
        while mutant in self.met_by:
            number += 1
            mutant = f"{name} ({number})"
        self.met_by[mutant] = set()
        return mutant

    def meet(self, mutant: str) -> bool:
        """Notes that the running test came to it; whether it is to be left out."""
        self.meetings += 1
        if self.test:
            self.met_by[mutant].add(self.test)
        return mutant == self.at_work


MUTANTS = Mutants()


def install() -> None:
    """Makes a mutant of each refusal as it is imported, and two of each rule: in a template and in a call."""
    sys.meta_path.insert(0, _Finder())
    for name in _preconditions():
        MUTANTS.new(name)
    from neuron_cluster.template_rules.discover import all_template_rules

    for rule in all_template_rules():
        kind = type(rule)
        kind.check = _silenceable(rule.id, kind.check)  # type: ignore[method-assign]  # that is what a mutant is


def _silenceable(rule_id: str, check: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    in_template = MUTANTS.new(f"{rule_id} in a template")
    in_call = MUTANTS.new(f"{rule_id} in a call")

    def check_or_not(self: Any, *arguments: Any) -> Iterator[Any]:
        for refusal in check(self, *arguments):
            if not MUTANTS.meet(in_call if _is_call() else in_template):
                yield refusal

    return check_or_not


def _is_call() -> bool:
    """A call is judged in a thread of the server, or below where the local AWS answers without a connection."""
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_globals["__name__"] != OWN_CALLS:
        frame = frame.f_back
    return frame.f_back is not None or threading.current_thread() is not threading.main_thread()


class _Finder(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not fullname.startswith(MUTATED):
            return None
        spec = super().find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        path = Path(self.get_filename(fullname))
        tree = _Refusals(path).visit(ast.parse(path.read_text(encoding="utf-8")))
        return compile(ast.fix_missing_locations(tree), str(path), "exec")

    def exec_module(self, module: ModuleType) -> None:
        setattr(module, MET, MUTANTS.meet)
        super().exec_module(module)


def _preconditions() -> Iterator[str]:
    from local_aws.api_errors import error_rows, error_tables

    for service in error_tables():
        yield from (f"{service}.{name}" for name, row in error_rows(service).items() if row.when or row.exists)


def _mutant(node: ast.Raise, file: Path) -> str:
    """The expression of its name: of a precondition, its row; else what is raised where."""
    if isinstance(node.exc, ast.Call) and _raised(node.exc) == "api_error":
        row, *_ = node.exc.args
        if isinstance(row, ast.Name):
            return row.id
    return repr(MUTANTS.new(f"{file.relative_to(PROJECT)}: {ast.unparse(node)}"))


def _raised(error: ast.expr) -> str:
    """The exception, or the function that makes it."""
    return ast.unparse(error.func if isinstance(error, ast.Call) else error)


class _Refusals(ast.NodeTransformer):
    """Puts the question before each refusal of a file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        if node.exc is None or _raised(node.exc) in NO_API_ERRORS:
            return node
        condition = ast.parse(f"not {MET}({_mutant(node, self.file)})", mode="eval").body
        return ast.copy_location(ast.If(test=condition, body=[node], orelse=[]), node)
