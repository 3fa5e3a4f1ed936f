"""Finds the refusals in the source of the local AWS: every ``raise`` by which a service, or CloudFormation, says no."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

PROJECT = Path(__file__).parents[1]
ROOM = "local_aws/"
READER = "local_aws/cloudformation"
PLACES = (
    f"{ROOM}services",
    READER,
    f"{ROOM}engine",
    f"{ROOM}kms_key_state.py",
    f"{ROOM}quotas.py",
    f"{ROOM}reservation_groups.py",
    f"{ROOM}reservations.py",
    f"{ROOM}launches.py",
    f"{ROOM}launch_request.py",
    f"{ROOM}http/protocol.py",
    f"{ROOM}handlers",
)
"""Where services speak, and CloudFormation's resource types; recorded commands answer to custom resources alone."""
OURS = frozenset(
    {
        "api_error",  # a row of local_aws/errors
        "error",  # one that a function made
        "RuntimeError",
        "AssertionError",
        "LookupError",
        "NotImplementedError",
        "ResourceFailedError",
        "DeploymentFailedError",
        "Stopping",
        "AliasInTemplate",
    }
)
"""Exceptions that no caller of an API sees: mistakes of ours, and the engine's own words to itself."""


class RefusalSite(Struct, frozen=True):
    """One of them."""

    module: str
    """``local_aws/services/eks/addon.py``."""
    line: int
    code: str
    """The service's error code, where it stands there; else empty."""
    words: str
    """The message, ``…`` for what only the call tells; empty when it stands elsewhere."""
    statement: str
    """The source, for one whose words stand elsewhere."""

    @property
    def dotted(self) -> str:
        """The module as it is imported."""
        return self.module.removesuffix(".py").replace("/", ".")

    @property
    def name(self) -> str:
        """What it is called where lines may move: its module and what it says."""
        return f"{self.module}: {' '.join(each for each in (self.code, self.words) if each) or self.statement}"


def refusal_sites() -> list[RefusalSite]:
    """All, by place."""
    found: list[RefusalSite] = []
    for place in PLACES:
        path = PROJECT / place
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            found += [site for node in ast.walk(ast.parse(file.read_text())) if (site := refusal_site(node, file))]
    return found


def refusal_site(node: ast.AST, file: Path) -> RefusalSite | None:
    """What a statement of a file refuses; None when it is no refusal."""
    if not isinstance(node, ast.Raise) or node.exc is None:
        return None
    call = node.exc if isinstance(node.exc, ast.Call) else ast.Call(func=node.exc, args=[], keywords=[])
    if ast.unparse(call.func) in OURS:
        return None
    texts = [text for argument in (*call.args, *(each.value for each in call.keywords)) for text in _texts(argument)]
    code = next((text for text in texts if re.fullmatch(r"[A-Z][A-Za-z.…]+", text)), "")
    words = max((text for text in texts if " " in text), key=len, default="")
    return RefusalSite(str(file.relative_to(PROJECT)), node.lineno, code, words, ast.unparse(node.exc))


def _texts(node: ast.expr) -> Iterator[str]:
    """Also those inside a response of botocore, ``{"Error": {"Code": …, "Message": …}}``."""
    if isinstance(node, ast.Dict):
        for value in node.values:
            yield from _texts(value)
    else:
        yield re.sub(r"\s+", " ", "".join(_parts(node)))


def _parts(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        for part in node.values:
            yield str(part.value) if isinstance(part, ast.Constant) else "…"
