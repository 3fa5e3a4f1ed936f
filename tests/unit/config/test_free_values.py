"""Values for charts are typed as YAML types them; everywhere else quotes mean nothing."""

from typing import Any

import pytest

from neuron_cluster.config.document import read_document
from neuron_cluster.config.scalars import typed


def value_of(text: str) -> Any:
    document = read_document(f"key: {text}\n", "file")
    assert document.findings == []
    return typed(document.tree)["key"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ('"true"', "true"),
        ("no", "no"),
        ("2", 2),
        ("'2'", "2"),
        ("0.5", 0.5),
        ("1e3", 1000.0),
        ("500m", "500m"),
        ("null", None),
        ("'null'", "null"),
        ("[1, a, {b: false}]", [1, "a", {"b": False}]),
        ("|\n  12\n", "12\n"),
        ("123456789012345678901234567890", 123456789012345678901234567890.0),
    ],
)
def test_a_plain_scalar_has_a_type_and_one_in_quotes_is_a_text(text: str, value: Any) -> None:
    found = value_of(text)
    assert found == value
    assert type(found) is type(value)
