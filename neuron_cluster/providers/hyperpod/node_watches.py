"""When nodes of a HyperPod cluster are back after a replacement or a reboot, by what ListClusterNodes returns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from neuron_cluster.findings.text import listed
from neuron_cluster.protocol.nodes import GroupProgress, Node, NodeWatch

RUNNING, FAILURE, NOT_FOUND = "Running", "Failure", "NotFound"
RUNNING_SECONDS, FAILED_SECONDS = 300.0, 1800.0
"""No source names the statuses of a node that reboots. One whose status never changes is taken to be back after the
first time, and to have failed after the second."""


class ReplacementWatch(NodeWatch):
    """Counts nodes of each group that were launched since, up to the number of replaced ones that are gone."""

    def __init__(self, asked: Sequence[Node], before: Sequence[Node]) -> None:
        self._asked = asked
        self._before = {(node.id, node.launched) for node in before}

    def look(self, nodes: Sequence[Node], seconds: float) -> tuple[GroupProgress, ...]:
        del seconds
        return tuple(self._progress(name, nodes) for name in _groups(self._asked))

    def _progress(self, name: str, nodes: Sequence[Node]) -> GroupProgress:
        asked = [(node.id, node.launched) for node in self._asked if node.group == name]
        there = [node for node in nodes if node.group == name]
        gone = len(asked) - sum((node.id, node.launched) in asked for node in there)
        new = [node for node in there if node.has_instance and (node.id, node.launched) not in self._before]
        running = [node.id for node in new if node.status == RUNNING]
        failed = [node for node in new if node.status == FAILURE]
        return GroupProgress(
            group=name,
            expected=len(asked),
            back=tuple(running[:gone]),
            failed=tuple(failed[: gone - len(running[:gone])]),
            statuses=Counter(node.status for node in there),
        )


class RebootWatch(NodeWatch):
    """Remembers which nodes have left the status that they had before."""

    def __init__(self, asked: Sequence[Node], *, is_local: bool) -> None:
        """The local AWS reboots at once."""
        self._asked = asked
        self._have_changed: set[str] = set()
        self._running_seconds, self._failed_seconds = (0.0, 0.0) if is_local else (RUNNING_SECONDS, FAILED_SECONDS)

    def look(self, nodes: Sequence[Node], seconds: float) -> tuple[GroupProgress, ...]:
        found = {node.id: node for node in nodes}
        now = [(node, found.get(node.id, replace(node, status=NOT_FOUND, message=""))) for node in self._asked]
        self._have_changed |= {after.id for before, after in now if after.status != before.status}
        after = [node for _, node in now]
        return tuple(self._progress(name, nodes, after, seconds) for name in _groups(self._asked))

    def _progress(self, name: str, nodes: Sequence[Node], asked: Sequence[Node], seconds: float) -> GroupProgress:
        own = [node for node in asked if node.group == name]
        back = [node.id for node in own if self._is_back(node, seconds)]
        unseen = [node_id for node_id in back if node_id not in self._have_changed]
        return GroupProgress(
            group=name,
            expected=len(own),
            back=tuple(back),
            failed=tuple(node for node in own if self._has_failed(node, seconds)),
            statuses=Counter(node.status for node in nodes if node.group == name),
            note=f"{listed(unseen)} was {RUNNING} in each reading, so that no reboot was seen" if unseen else "",
        )

    def _is_back(self, node: Node, seconds: float) -> bool:
        return node.status == RUNNING and (node.id in self._have_changed or seconds >= self._running_seconds)

    def _has_failed(self, node: Node, seconds: float) -> bool:
        """Whether it is gone, or has failed, after its reboot or in spite of it."""
        if node.status == FAILURE:
            return node.id in self._have_changed or seconds >= self._failed_seconds
        return node.status == NOT_FOUND


def _groups(nodes: Sequence[Node]) -> list[str]:
    return list(dict.fromkeys(node.group for node in nodes))
