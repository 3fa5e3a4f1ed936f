"""Nodes that a job selects by feature and by name, and the accounts that a queue accepts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from neuron_cluster.findings.text import counted, listed
from neuron_cluster.schedulers.slurm.cluster import SlurmCluster, SlurmNodesPlan
from neuron_cluster.schedulers.slurm.jobs.finding_specs import AMOUNT, INPUT, QUEUE
from neuron_cluster.schedulers.slurm.jobs.host_list import hosts
from neuron_cluster.schedulers.slurm.jobs.job import JobFinding
from neuron_cluster.schedulers.slurm.jobs.placement import Placement

CONSTRAINT, NODE_LIST, EXCLUDE = SELECTING = ("--constraint", "--nodelist", "--exclude")
PREFER, BATCH = "--prefer", "--batch"
LICENSES, OF_CLUSTER = "--licenses", "Licenses"
FEATURES = "Features"
ACCESS = {"--account": ("AllowAccounts", "DenyAccounts"), "--qos": ("AllowQos", "DenyQos")}
"""Settings of the queue that allow and deny the values of an option."""
_TOKEN = re.compile(r"\s*([&|,()\[\]]|\*[0-9]{1,9}|[^&|,()\[\]*\s]+)")


def choice_findings(placed: Placement, slurm: SlurmCluster, directives: Mapping[str, str]) -> Iterator[JobFinding]:
    """``directives``: values of the options of sbatch that the script has."""
    yield from _constraint_findings(placed, slurm, directives.get(CONSTRAINT))
    yield from _feature_findings(slurm, directives)
    yield from _license_findings(slurm, directives.get(LICENSES))
    yield from _list_findings(placed, directives.get(NODE_LIST))
    yield from _exclude_findings(placed, slurm, directives.get(EXCLUDE))
    for option, (allow, deny) in ACCESS.items():
        yield from _access_findings(placed, option, directives.get(option), allow, deny)


def features(group: SlurmNodesPlan) -> frozenset[str]:
    """Returns the features of the nodes of a group: PCS documents no other than the setting."""
    return frozenset(name for name in group.settings.get(FEATURES, "").split(",") if name)


def node_names(group: SlurmNodesPlan) -> list[str] | None:
    """PCS numbers the nodes of a group from 1. Source: the output of sinfo in its tutorial, compute-1-[1-4].

    None where the names follow from addresses, which the plan does not have.
    """
    if not group.has_numbered_nodes:
        return None
    return [f"{group.physical_name}-{number}" for number in range(1, group.max + 1)]


def has_features(text: str, given: frozenset[str]) -> bool | None:
    """Whether a node with the features meets the constraint; None for what Slurm does not read.

    Slurm evaluates from left to right: ``,`` and ``&`` as "and", ``|`` as "or", brackets of both kinds around a part.
    A count (``*2``) is about nodes of the job, of which each has the same features here.
    """
    tokens = [found[1] for found in _TOKEN.finditer(text) if not found[1].startswith("*")]
    if "".join(_TOKEN.sub(r"\1", text).split()) != "".join(found[1] for found in _TOKEN.finditer(text)):
        return None
    value, rest = _expression(tokens, given)
    return value if not rest else None


def _expression(tokens: list[str], given: frozenset[str]) -> tuple[bool | None, list[str]]:
    value, rest = _operand(tokens, given)
    while value is not None and rest and rest[0] in ("&", "|", ","):
        operator, (right, after) = rest[0], _operand(rest[1:], given)
        if right is None:
            return None, after
        value, rest = (value or right) if operator == "|" else (value and right), after
    return value, rest


def _operand(tokens: list[str], given: frozenset[str]) -> tuple[bool | None, list[str]]:
    first, *rest = tokens or [""]
    if first in ("(", "["):
        value, rest = _expression(rest, given)
        return (value, rest[1:]) if rest[:1] == [")" if first == "(" else "]"] else (None, rest)
    return (None, rest) if first in ("", ")", "]", "&", "|", ",") else (first in given, rest)


def _constraint_findings(placed: Placement, slurm: SlurmCluster, text: str | None) -> Iterator[JobFinding]:
    if text is None:
        return
    meets = has_features(text, features(placed.group))
    if meets is None:
        yield JobFinding(INPUT, "--sbatch", f"{CONSTRAINT} is {text!r}", "write names of features, with & or |")
    elif not meets:
        own = sorted(features(placed.group))
        others = [group.name for group in slurm.groups if has_features(text, features(group))]
        elsewhere = f"; {listed(others)} has them: --group {others[0]}" if others else ""
        have = f"have {listed(own)}" if own else "have no features"
        message = f"{CONSTRAINT}={text}, but nodes of {placed.group.name} {have}"
        setting = f", or set {FEATURES} in the settings of {placed.group.name}" if placed.group.takes_settings else ""
        hint = f"remove {CONSTRAINT}{setting}{elsewhere}"
        yield JobFinding(AMOUNT, "--sbatch", message, hint)


def _feature_findings(slurm: SlurmCluster, directives: Mapping[str, str]) -> Iterator[JobFinding]:
    """Slurm rejects a job that prefers what no node has, and one whose first node needs more than all of them.

    Source: SchedMD/slurm slurm-26.05: src/slurmctld/job_mgr.c (ESLURM_INVALID_PREFER), src/slurmctld/node_scheduler.c.
    """
    known = sorted({name for group in slurm.groups for name in features(group)})
    required = sorted(_feature_names(directives.get(CONSTRAINT, "")))
    for option, names, where in ((PREFER, known, "no group has"), (BATCH, required, f"{CONSTRAINT} does not name")):
        text = directives.get(option)
        if text is None:
            continue
        missing = sorted(_feature_names(text).difference(names))
        if has_features(text, frozenset()) is None:
            yield JobFinding(INPUT, "--sbatch", f"{option} is {text!r}", "write names of features, with & or |")
        elif missing:
            others = f", or name {listed(names, 'or')}" if names else ""
            message = f"{option}={text}, but {where} {listed(missing, 'or')}"
            yield JobFinding(AMOUNT, "--sbatch", message, f"remove {option}{others}")


def _feature_names(text: str) -> set[str]:
    return {found[1] for found in _TOKEN.finditer(text) if found[1][0] not in "&|,()[]*"}


def _license_findings(slurm: SlurmCluster, text: str | None) -> Iterator[JobFinding]:
    """Licenses of the cluster are those of its settings; ``NAME@SERVER`` is one of the accounting database."""
    of_cluster = {item.partition(":")[0] for item in slurm.settings.get(OF_CLUSTER, "").split(",") if item}
    given = {re.split("[:=]", item)[0].strip() for item in re.split("[,|]", text or "") if item}
    missing = sorted(name for name in given if "@" not in name and name not in of_cluster)
    if missing and slurm.login.takes_settings:
        message = f"{LICENSES}={text}, but slurm.settings has {listed(sorted(of_cluster))} in {OF_CLUSTER}"
        hint = f"remove {LICENSES}, or set {OF_CLUSTER} in slurm.settings"
        yield JobFinding(AMOUNT, "--sbatch", message, hint)
    elif missing:
        yield JobFinding(AMOUNT, "--sbatch", f"{LICENSES}={text}, but the cluster has none", f"remove {LICENSES}")


def _list_findings(placed: Placement, text: str | None) -> Iterator[JobFinding]:
    if text is None or "/" in text:  # a file of the login node
        return
    named, nodes = hosts(text), node_names(placed.group)
    if named is None:
        yield JobFinding(INPUT, "--sbatch", f"{NODE_LIST} is {text!r}", f"write names of nodes: {_range(placed.group)}")
        return
    strange = [name for name in named if name not in set(nodes)] if nodes is not None else []
    if strange:
        message = f"{NODE_LIST} has {strange[0]}, which is not a node of {placed.group.name}"
        yield JobFinding(AMOUNT, "--sbatch", message, f"nodes of {placed.group.name}: {_range(placed.group)}")
    elif len(named) > placed.nodes:
        message = f"{NODE_LIST} has {counted(len(named), 'node')}, and the job {placed.nodes}"
        yield JobFinding(AMOUNT, "--sbatch", message, f"set --nodes {len(named)}, or name {placed.nodes} at most")


def _exclude_findings(placed: Placement, slurm: SlurmCluster, text: str | None) -> Iterator[JobFinding]:
    if text is None or "/" in text:
        return
    named = hosts(text)
    if named is None:
        yield JobFinding(INPUT, "--sbatch", f"{EXCLUDE} is {text!r}", f"write names of nodes: {_range(placed.group)}")
        return
    nodes, known = node_names(placed.group), [node_names(group) for group in slurm.groups]
    if nodes is None or None in known:
        return
    names = {name for each in known for name in each or ()}
    strange = [name for name in named if name not in names]
    left = len(set(nodes).difference(named))
    if strange:
        message = f"{EXCLUDE} has {strange[0]}, which is not a node of the cluster"
        yield JobFinding(AMOUNT, "--sbatch", message, f"nodes: {', '.join(map(_range, slurm.groups))}")
    elif left < placed.nodes:
        message = f"{EXCLUDE} leaves {counted(left, 'node')} of {placed.group.name}, and the job has {placed.nodes}"
        smaller = f", or set --nodes {left}" if left else ""
        yield JobFinding(AMOUNT, "--sbatch", message, f"exclude fewer nodes{smaller}")


def _access_findings(placed: Placement, option: str, value: str | None, allow: str, deny: str) -> Iterator[JobFinding]:
    settings = placed.queue.settings
    allowed, denied = (_names(settings.get(name, "")) for name in (allow, deny))
    if value is None or (value.lower() not in denied and (not allowed or {value.lower(), "all"} & allowed)):
        return
    name, verb = (deny, "denies") if value.lower() in denied else (allow, "allows only")
    message = f"{option}={value}, but queue {placed.queue.name} {verb} {settings[name]} ({name})"
    yield JobFinding(QUEUE, "--sbatch", message, f"name another one, or change {name} in the settings of the queue")


def _names(text: str) -> set[str]:
    """Slurm has names of accounts and QOS in lower case."""
    return {name.strip().lower() for name in text.split(",") if name.strip()}


def _range(group: SlurmNodesPlan) -> str:
    if not group.has_numbered_nodes:
        return "as sinfo prints them"
    return f"{group.physical_name}-[1-{group.max}]" if group.max > 1 else f"{group.physical_name}-1"
