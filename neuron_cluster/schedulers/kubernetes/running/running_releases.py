"""Releases of bundled charts in a cluster, as `workload list --running` prints them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec import to_builtins

from neuron_cluster.protocol.running_work import RunningList
from neuron_cluster.protocol.scheduler import Environment
from neuron_cluster.schedulers.kubernetes.running.release import releases_in
from neuron_cluster.schedulers.kubernetes.running.running_list import running_releases
from neuron_cluster.schedulers.kubernetes.running.running_table import running_table
from neuron_cluster.schedulers.kubernetes.running.session import open_session


def list_releases(environment: Environment, values: Mapping[str, Any]) -> RunningList:
    """Raises ``ToolkitError``; ``InvalidEnvironment`` for a context of another cluster."""
    session = open_session(environment, values["context"], values["kubeconfig"])
    state = session.read(values["namespace"], datetime.now(UTC))
    found = running_releases(releases_in(state, session.charts), state, environment.catalog, session.plan.region)
    document = {"environment": session.plan.name, "releases": to_builtins(found), "forbidden": state.forbidden}
    return RunningList(document, running_table(found, session.plan.name), tuple(state.forbidden))
