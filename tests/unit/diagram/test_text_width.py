"""Texts are divided and shortened so that names stay apart."""

from __future__ import annotations

import pytest

from neuron_cluster.diagram.text_width import END, text_width, wrapped

SIZE, WIDTH = 14, 150.0


@pytest.mark.parametrize("most", [1, 2])
def test_long_names_that_differ_at_their_end_differ_when_shortened(most: int) -> None:
    shown = [wrapped(f"research-node-group-of-production-in-one-zone-{n:02d}", WIDTH, SIZE, most=most) for n in (1, 2)]
    assert shown[0] != shown[1]
    for lines in shown:
        assert len(lines) <= most
        assert END in "".join(lines)
        assert " " not in "".join(lines)
        assert all(text_width(line, SIZE) <= WIDTH for line in lines)


def test_a_sentence_keeps_its_beginning() -> None:
    (line,) = wrapped("files of every group, mounted", WIDTH, SIZE, most=1)
    assert line.startswith("files of ")
    assert line.endswith(END)


def test_a_name_that_fits_is_whole() -> None:
    assert wrapped("trn1-pool-02", WIDTH, SIZE, most=1) == ["trn1-pool-02"]
