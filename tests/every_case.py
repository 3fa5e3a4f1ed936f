"""One test for many small cases: as an item of its own, each costs three milliseconds of collection and messages."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from inspect import Parameter
from typing import Any

import pytest

Test = Callable[..., None]
Cases = dict[str, dict[str, Any]]


def every_case(
    names: str,
    cases: Iterable[Any],
    *,
    ids: Callable[[Any], str] = str,
    group: Callable[[str], str] | None = None,
) -> Callable[[Test], Test]:
    """As ``parametrize``, but the cases of a group are one test, or all without ``group``; they share its fixtures.

    The test runs each of its cases and fails with the errors of all that fail, which name the case. None may skip.
    """
    arguments = [name.strip() for name in names.split(",")]
    groups: dict[str, Cases] = {}
    for case in cases:
        name, values = _case(case, ids, len(arguments))
        of_group = groups.setdefault(group(name) if group else "", {})
        assert name not in of_group, name
        of_group[name] = dict(zip(arguments, values, strict=True))
    assert groups

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run(**given: Any) -> None:
            of_group = given.pop("cases_") if group else groups[""]
            _run(of_group, functools.partial(test, **given))

        own = inspect.signature(test)
        fixtures = [each for name, each in own.parameters.items() if name not in arguments]
        if group is None:
            run.__signature__ = own.replace(parameters=fixtures)  # type: ignore[attr-defined]
            return run
        grouped = Parameter("cases_", Parameter.POSITIONAL_OR_KEYWORD)
        run.__signature__ = own.replace(parameters=[grouped, *fixtures])  # type: ignore[attr-defined]
        return pytest.mark.parametrize("cases_", [pytest.param(each, id=name) for name, each in groups.items()])(run)

    return decorate


def _case(case: Any, ids: Callable[[Any], str], arguments: int) -> tuple[str, tuple[Any, ...]]:
    """The name of a case, and its values: a ``pytest.param`` with an id, a tuple of several values, or one value."""
    if not hasattr(case, "marks"):
        return ids(case), case if arguments > 1 else (case,)
    assert not case.marks
    return case.id, case.values


def _run(cases: Cases, test: Test) -> None:
    failed: list[BaseException] = []
    for name, values in cases.items():
        try:
            test(**values)
        except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:  # noqa: BLE001 - raised below
            error.add_note(f"in the case {name}")
            failed.append(error)
    if failed:
        raise BaseExceptionGroup(f"{len(failed)} of {len(cases)} cases", failed)
