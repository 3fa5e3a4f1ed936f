"""Every decision of every environment is in ``matrix.txt``.

``NEURON_CLUSTER_ACCESS=write pytest tests/unit/access/test_matrix_text.py`` writes the file: read the difference.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from golden_paths import golden_environments

from .matrix_text import matrix_text
from .templates import golden_matrix, matrix_of
from .two_namespaces import EDITS, ENVIRONMENT, PREFIXES

FILE = Path(__file__).parent / "matrix.txt"
MODE = os.environ.get("NEURON_CLUSTER_ACCESS", "")


def _lines(two_namespaces: dict[str, Any]) -> Iterator[str]:
    for environment in golden_environments():
        yield f"== {environment}"
        yield from matrix_text(golden_matrix(environment))
        yield ""
    yield f"== {ENVIRONMENT} with the edits of two_namespaces.py"
    yield from matrix_text(matrix_of(two_namespaces, PREFIXES))


def test_the_matrix_is_the_one_in_the_file(templates_of: Callable[..., dict[str, Any]]) -> None:
    made = {f"{ENVIRONMENT}-{part}": template for part, template in templates_of(ENVIRONMENT, EDITS).items()}
    text = "\n".join(_lines(made)) + "\n"
    if MODE == "write":
        FILE.write_text(text)
    assert text == FILE.read_text()
