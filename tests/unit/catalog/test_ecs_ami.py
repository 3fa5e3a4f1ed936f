"""ECS images: where their ids are published."""

from neuron_cluster.catalog.catalog import load_catalog


def test_the_parameter_of_the_neuron_image() -> None:
    row = load_catalog().ecs_amis.get("amazon_linux_2023_neuron")
    assert row is not None
    assert row.ssm_parameter == "/aws/service/ecs/optimized-ami/amazon-linux-2023/neuron/recommended/image_id"
