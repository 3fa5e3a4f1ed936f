"""Neuron Deep Learning AMIs: public parameters in SSM, images in EC2, and launches that name a parameter."""

from __future__ import annotations

import hashlib
from typing import Any

from moto.core.utils import utcnow
from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models.amis import Ami, AmiBackend
from moto.ec2.models.instances import InstanceBackend
from moto.ssm.models import Parameter, ParameterDict, ssm_backends

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.local_aws.operations.overrides import override
from neuron_cluster.local_aws.operations.seed_data import seed_data

PUBLIC = "/aws/service/neuron"
BY_PARAMETER = "resolve:ssm:"


def published(region: str) -> list[Dlami]:
    """The kinds of image that have a parameter in the Region."""
    return [row for row in load_catalog().dlamis if region not in row.regions_without_parameter]


def ami_id(row: Dlami, region: str) -> str:
    """Made up, the same in every run, another one in each Region."""
    return f"ami-{hashlib.sha256(f'{region}{row.ssm_parameter}'.encode()).hexdigest()[:17]}"


@override(ParameterDict, "_check_loading_status")
def load_parameters(original: Any, parameters: Any, key: Any) -> None:
    """moto has the public parameters of Amazon Linux and ECS."""
    original(key)
    if not str(key or "").startswith(PUBLIC):
        return
    for row in published(parameters.region_name):
        if not dict.__contains__(parameters, row.ssm_parameter):
            value = ami_id(row, parameters.region_name)
            dict.__setitem__(parameters, row.ssm_parameter, [_parameter(parameters, row.ssm_parameter, value)])


def _parameter(parameters: Any, name: str, value: str) -> Any:
    return Parameter(  # type: ignore[abstract]  # moto makes its own in this way too
        account_id=parameters.account_id,
        name=name,
        value=value,
        parameter_type="String",
        description=None,
        allowed_pattern=None,
        keyid=None,
        last_modified_date=utcnow(),
        version=1,
        data_type="aws:ec2:image",
    )


@override(AmiBackend, "_load_amis")
def load_images(original: Any, backend: Any) -> None:
    original()
    for row in published(backend.region_name):
        image_id = ami_id(row, backend.region_name)
        name = f"{row.title} {seed_data('neuron')['dlami_build']}"
        backend.amis[image_id] = Ami(
            backend,
            image_id,
            name=name,
            description=f"{row.title}. Neuron SDK {row.neuron_sdk}",
            owner_alias="amazon",
            public=True,
            virtualization_type="hvm",
            architecture="x86_64",
            root_device_type="ebs",
            root_device_name=row.root_device_name,
            image_location=f"amazon/{name}",
        )


@override(InstanceBackend, "run_instances")
def run_instances(original: Any, backend: Any, image_id: str, *arguments: Any, **options: Any) -> Any:
    """EC2 reads the parameter at the launch, so that every new machine starts from the newest image."""
    if image_id and image_id.startswith(BY_PARAMETER):
        name = image_id.removeprefix(BY_PARAMETER)
        parameter = ssm_backends[backend.account_id][backend.region_name].get_parameter(name)
        if parameter is None:
            raise EC2ClientError("InvalidParameterValue", f"The parameter {name} does not exist in this Region.")
        image_id = parameter.value
    return original(image_id, *arguments, **options)
