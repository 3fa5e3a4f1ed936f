"""AMI types: the parameters that hold their ids."""

from neuron_cluster.catalog.ami_type import ami_type


def test_the_parameter_of_the_neuron_image() -> None:
    neuron = ami_type("AL2023_x86_64_NEURON")
    assert neuron is not None
    folder = "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/neuron/recommended"
    assert neuron.ssm_parameter("1.35") == f"{folder}/image_id"
    assert neuron.release_version_parameter("1.35") == f"{folder}/release_version"


def test_the_standard_image_has_no_neuron_driver() -> None:
    standard = ami_type("AL2023_x86_64_STANDARD")
    assert standard is not None
    assert standard.chips == ()
