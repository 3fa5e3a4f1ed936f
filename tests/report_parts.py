"""The records of the page of an environment, without a synthesis: roles are those of golden templates."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from neuron_cluster.access.matrix import AccessMatrix
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.cost.environment_cost import environment_cost
from neuron_cluster.pipeline import check_environment
from neuron_cluster.protocol.status import StatusLine, StatusSection, Verdict, error, healthy, warning
from neuron_cluster.report.environment_page import PageParts
from neuron_cluster.report.status_page import PageStatus
from tests.conftest import FOLDERS

ON = date(2026, 11, 27)
ENVIRONMENTS = sorted(path.stem for folder in FOLDERS for path in folder.glob("*.yaml"))
"""Shipped ones, and those for tests."""


def environment_file(environment: str) -> Path:
    """The file of one of ``ENVIRONMENTS``."""
    return next(path for each in FOLDERS if (path := each / f"{environment}.yaml").is_file())


def parts_of(file: Path, matrix: AccessMatrix) -> PageParts:
    """As `report` makes them, with one log group."""
    catalog = load_catalog()
    checked = check_environment(file, display_name=f"environments/{file.name}", catalog=catalog, as_of=ON)
    plan = checked.require_plan()
    access = tuple(plan.kubernetes.kubernetes_access()) if plan.kubernetes is not None else ()
    return PageParts(
        plan=plan,
        catalog=catalog,
        findings=checked.findings,
        written=checked.require_resolved().provenances,
        cost=environment_cost(plan, catalog, ON),
        matrix=matrix,
        kubernetes=access,
        log_groups=("/aws/a-log-group",),
        file=f"environments/{file.name}",
        digest="0" * 64,
    )


def some_status() -> PageStatus:
    """A line of each verdict, with the longest command and cause that `status` has."""
    moment = datetime(2026, 11, 27, 12, tzinfo=UTC)
    command = (
        "aws eks update-nodegroup-config --region us-west-2 --cluster-name train-trn1 "
        "--nodegroup-name trn1-0a1b2c3d4e --scaling-config minSize=0,maxSize=16,desiredSize=16"
    )
    launch = (
        "DEGRADED, 1 of 16 instances in service: EC2 did not launch instances of the group (AsgInstanceLaunchFailures: "
        "Could not launch Capacity Block Instances. InsufficientInstanceCapacity - <no capacity> in [us-west-2a](x))"
    )
    groups = (
        error("trn1", launch, command, since=moment - timedelta(hours=5)),
        warning("system", "1 of 2 instances in service, 1 start", command.replace("trn1-0", "system-0")),
        StatusLine(
            "login", Verdict.NOT_READ, "ssm:DescribeInstanceInformation: access denied", "aws sts get-caller-identity"
        ),
    )
    stacks = tuple(healthy(f"train-trn1-{part}", "CREATE_COMPLETE") for part in ("network", "storage", "cluster"))
    return PageStatus(
        at=moment,
        verdict=Verdict.ERROR,
        where="AWS account 111122223333, us-west-2",
        sections=(StatusSection("Compute groups", groups), StatusSection("Stacks", stacks)),
        not_looked_at=("conditions of nodes, pods and queues in Kubernetes (`kubectl get nodes`)",),
    )
