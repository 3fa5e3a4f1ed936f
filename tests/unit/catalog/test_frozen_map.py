"""A frozen map is read-only, hashable, and survives being copied with the row that holds it."""

import copy
import pickle

import pytest

from neuron_cluster.catalog.frozen_map import FrozenMap


def test_equals_any_mapping_with_the_same_pairs() -> None:
    assert FrozenMap({"a": 1}) == {"a": 1}
    assert FrozenMap({"a": 1}) != {"a": 2}


def test_equal_maps_have_equal_hashes_whatever_their_order() -> None:
    assert hash(FrozenMap({"a": 1, "b": 2})) == hash(FrozenMap({"b": 2, "a": 1}))


def test_cannot_be_written_to() -> None:
    with pytest.raises(TypeError):
        FrozenMap({"a": 1})["a"] = 2  # type: ignore[index]  # the mistake that must fail


def test_does_not_follow_later_changes_of_its_source() -> None:
    source = {"a": 1}
    frozen = FrozenMap(source)
    source["a"] = 2
    assert frozen["a"] == 1


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])  # noqa: S301 - own bytes
def test_can_be_copied(copied) -> None:
    assert copied(FrozenMap({"a": (1, 2)})) == {"a": (1, 2)}
