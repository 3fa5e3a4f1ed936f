"""Databases of others in the VPC, with the commands that keep a last snapshot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.aws.vpc_resources import Database
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.left_over_item import LeftOver

SERVICES = {"neptune": "neptune", "docdb": "docdb"}
"""The service of the AWS CLI for each engine; that of every other engine is `rds`."""
WITH_VOLUME = ("aurora", "neptune", "docdb")
"""How engines begin whose instances are deleted one by one, and then the cluster, which has the data.

No snapshot is made when such an instance is deleted. Of a Multi-AZ DB cluster, the instances go with the cluster.
Source: https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/USER_DeleteCluster.html;
https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_DeleteMultiAZDBCluster.Deleting.html
"""
KEEPS = "which holds data: the command keeps a last snapshot"


def database_items(destination: Destination, found: Sequence[Database]) -> Iterator[LeftOver]:
    """Read replicas first, then instances, then the clusters, which are deleted after their instances."""
    for each in sorted(found, key=lambda database: not database.source):
        if not each.cluster:
            yield _alone(destination, each)
        elif each.engine.startswith(WITH_VOLUME):
            yield _member(destination, each)
    for cluster, engine in sorted({(each.cluster, each.engine) for each in found if each.cluster}):
        command = destination.aws_command(
            f"{_service(engine)} delete-db-cluster",
            db_cluster_identifier=cluster,
            final_db_snapshot_identifier=f"{cluster}-last",
        )
        yield LeftOver(f"database cluster {cluster} ({engine}), {KEEPS}", command)


def _alone(destination: Destination, each: Database) -> LeftOver:
    if each.source:
        operation, options = "rds delete-db-instance --skip-final-snapshot", {}
        what = f"database {each.id} ({each.engine}), a read replica of {each.source}"
    else:
        operation, options = "rds delete-db-instance", {"final_db_snapshot_identifier": f"{each.id}-last"}
        what = f"database {each.id} ({each.engine}), {KEEPS}"
    return LeftOver(what, destination.aws_command(operation, db_instance_identifier=each.id, **options))


def _member(destination: Destination, each: Database) -> LeftOver:
    service = _service(each.engine)
    skip = " --skip-final-snapshot" if service == "neptune" else ""  # the only one of them that asks for it
    command = destination.aws_command(f"{service} delete-db-instance{skip}", db_instance_identifier=each.id)
    return LeftOver(f"database {each.id} ({each.engine}), an instance of the cluster {each.cluster}", command)


def _service(engine: str) -> str:
    return SERVICES.get(engine, "rds")
