"""AMI types: the parameters that hold their ids."""

import pytest

from neuron_cluster.catalog.catalog import load_catalog

CATALOG = load_catalog()


def test_the_parameter_of_the_neuron_image() -> None:
    neuron = CATALOG.ami_types.get("AL2023_x86_64_NEURON")
    assert neuron is not None
    folder = "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/neuron/recommended"
    assert neuron.ssm_parameter("1.35") == f"{folder}/image_id"
    assert neuron.release_version_parameter("1.35") == f"{folder}/release_version"


def test_the_standard_image_has_no_neuron_driver() -> None:
    standard = CATALOG.ami_types.get("AL2023_x86_64_STANDARD")
    assert standard is not None
    assert standard.chips == ()


def test_a_type_without_images_has_no_parameter_and_no_volume() -> None:
    own = CATALOG.ami_types.get("CUSTOM")
    assert own is not None
    assert not own.is_published
    with pytest.raises(LookupError, match="CUSTOM"):
        own.ssm_parameter("1.35")
    with pytest.raises(LookupError, match="CUSTOM"):
        assert own.root_device_name


def test_the_images_of_amazon_linux_2_are_retired_and_have_successors() -> None:
    gpu = CATALOG.ami_types.get("AL2_x86_64_GPU")
    assert gpu is not None
    assert (gpu.state, gpu.successor) == ("retired", "AL2023_x86_64_NEURON")
