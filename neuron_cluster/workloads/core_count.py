"""Logical NeuronCores of a workload's chips, held against what the catalog knows of the machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.chart_values import value_at
from neuron_cluster.findings.finding import Finding
from neuron_cluster.workloads.context import WorkloadContext
from neuron_cluster.workloads.refusal import finding

CORES, CHIPS, LNC = "machine.neuronCores", "machine.neuronDevices", "machine.logicalNcConfig"


def core_findings(site: WorkloadContext, values: Mapping[str, Any], chart: str) -> Iterator[Finding]:
    """An error for an LNC that the type does not have, or cores that are not those of the chips at the LNC."""
    if value_at(values, "machine.nodeGroup") != site.group.name:
        return
    machine, name, known = site.group.machine, site.group.machine.instance_type, site.cores_at
    chips, cores, said = (value_at(values, key) for key in (CHIPS, CORES, LNC))
    if not all(isinstance(each, int) for each in (chips, cores, said)):
        return  # helm refuses it
    lnc = said or machine.logical_nc_config
    if said and known and said not in known:
        offered = " or ".join(map(str, sorted(known)))
        yield finding("E9223", chart, LNC, f"{name} has no LNC {said}", f"write {offered}, or leave it out")
        return
    of_node, chips_of_node = known.get(lnc or 0), site.room.node.neuron_devices
    if of_node is None or not chips_of_node or (chips * of_node) == cores * chips_of_node:
        return
    right = chips * of_node // chips_of_node
    has = f"{chips} {'chip' if chips == 1 else 'chips'} of {name} {'has' if chips == 1 else 'have'} {right}"
    message = f"{cores} cores are said, and {has} at LNC {lnc}"
    yield finding("E9223", chart, CORES, message, f"write {right}, or leave it out: it follows from {CHIPS} and {LNC}")
