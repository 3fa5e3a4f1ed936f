"""ECS images: where their ids are published."""

from neuron_cluster.catalog.ecs_ami import ecs_ami


def test_the_parameter_of_the_neuron_image() -> None:
    row = ecs_ami("amazon_linux_2023_neuron")
    assert row is not None
    assert row.ssm_parameter == "/aws/service/ecs/optimized-ami/amazon-linux-2023/neuron/recommended/image_id"
