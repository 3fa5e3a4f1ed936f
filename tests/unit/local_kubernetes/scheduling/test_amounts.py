"""Amounts in words, with and without what they are amounts of."""

import pytest

from local_kubernetes.model.scheduling.amounts import describe, measure


@pytest.mark.parametrize(
    ("name", "amount", "text"),
    [
        ("cpu", 1500, "1.5 CPUs"),
        ("memory", 16 * 1024**3, "16 GiB of memory"),
        ("hugepages-2Mi", 5120 * 1024**2, "5 GiB of hugepages-2Mi"),
        ("memory", 0, "0 KiB of memory"),
        ("pods", 3, "3 pods"),
    ],
)
def test_amounts_in_words(name: str, amount: int, text: str) -> None:
    assert describe(name, amount) == text


def test_an_amount_alone_leaves_out_its_name() -> None:
    assert [measure("cpu", 2000), measure("memory", 2**40), measure("pods", 3)] == ["2 CPUs", "1 TiB", "3"]
