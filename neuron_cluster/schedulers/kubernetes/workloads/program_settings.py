"""Arguments and variables of a program, as names with values."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Any

from local_kubernetes.model.fields import at

IS_FOR_CHECKPOINTS = re.compile(r"checkpoint|ckpt", re.IGNORECASE)


def program_settings(arguments: Iterable[Any], variables: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Name and value: of ``--name=value`` or ``--name value``, and of each variable."""
    texts = [each for each in arguments if isinstance(each, str)]
    for name, value in itertools.pairwise([*texts, ""]):
        own_name, separator, own_value = name.partition("=")
        yield own_name, own_value if separator else value
    for each in variables:
        yield str(at(each, "name")), str(at(each, "value"))
