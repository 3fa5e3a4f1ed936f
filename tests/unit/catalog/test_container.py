"""Neuron Deep Learning Containers."""

from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog

CATALOG = load_catalog()

JAX = "jax-training-neuronx:0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04"


def test_an_image_is_found_by_name_and_by_whole_reference() -> None:
    row = CATALOG.containers.get(JAX)
    assert row is not None
    assert row.image == f"public.ecr.aws/neuron/{JAX}"
    assert CATALOG.containers.get(row.image) is row
    assert CATALOG.containers.get(f"111122223333.dkr.ecr.us-west-2.amazonaws.com/mirror/{JAX}") is row
    assert CATALOG.containers.get(JAX.replace("2.32.0", "2.99.0")) is None


def test_a_misspelt_tag_finds_its_neighbours() -> None:
    assert JAX in CATALOG.containers.similar(JAX.replace("py313", "py312"))


def test_a_row_that_does_not_agree_with_its_tag_is_a_contradiction() -> None:
    row = CATALOG.containers.get(JAX)
    assert row is not None
    assert list(row.contradictions()) == []
    wrong = replace(row, neuron_sdk="2.31.0", name="jax", families=())
    assert {field for field, _ in wrong.contradictions()} == {"name", "neuron_sdk", "families"}
