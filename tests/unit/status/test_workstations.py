"""The AMI of a workstation next to the one of the file or its lock."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec import structs

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.protocol.status import StatusLine, Verdict
from neuron_cluster.status.environment_status import read_status

from .conftest import Deployed, Environment

pytestmark = pytest.mark.slow


def line_with_pinned(environment: Environment, image: str | None) -> StatusLine:
    """The line of the workstation where the file or its lock has this AMI."""
    (workstation,) = environment.plan.workstations
    pinned = structs.replace(workstation, image=structs.replace(workstation.image, image=image, release=None))
    plan = structs.replace(environment.plan, workstations=(pinned,))
    assert plan.workstations[0].pinned_image == image
    access = local_destination(environment.aws.endpoint, plan.account, plan.region)
    status = read_status(
        plan, access, load_catalog(), at=datetime.now(UTC), argument=plan.name, of_file=lambda _deployed: None
    )
    return next(line for line in status.lines if line.subject == workstation.name)


def test_a_workstation_of_another_ami_than_that_of_the_lock_is_a_warning(deployed: Deployed) -> None:
    environment = deployed("workstation")
    (reservation,) = environment.client("ec2").describe_instances()["Reservations"]
    runs = reservation["Instances"][0]["ImageId"]
    assert line_with_pinned(environment, None).verdict is Verdict.HEALTHY
    assert line_with_pinned(environment, runs).verdict is Verdict.HEALTHY
    line = line_with_pinned(environment, "ami-0123456789abcdef0")
    assert (line.verdict, line.command) == (Verdict.WARNING, "neuron-cluster deploy --local workstation")
    assert f"runs {runs}, the file or its lock has ami-0123456789abcdef0" in line.cause
