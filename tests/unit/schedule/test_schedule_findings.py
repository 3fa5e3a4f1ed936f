"""Findings about rendered workloads."""

from __future__ import annotations

from shapes import pod

from neuron_cluster.catalog.workload_shape import NodeNeed
from neuron_cluster.schedule.fit import Misfit
from neuron_cluster.schedule.schedule_findings import SCHEDULE_PAGES, findings_about
from neuron_cluster.schedule.verdict import GroupVerdict, Verdict

NEED = NodeNeed(nodes="every", without="it is useless", source="-")


def verdict(kind: str, *misfits: Misfit, is_needed: bool = False) -> Verdict:
    on = GroupVerdict("trn1", misfits, (), is_needed, None)
    return Verdict(pod(kind, needed_on=NEED if is_needed else None), (on,), has_auto_mode=False)


def test_each_kind_of_mistake_has_its_id_its_place_and_a_hint() -> None:
    sure, unsure = Misfit("no", "labels", "affinity"), Misfit("no", "labels", "selector", "an estimate")
    judged = [
        ("a.yaml", verdict("DaemonSet", sure, is_needed=True)),
        ("b.yaml", verdict("Deployment", sure)),
        ("c.yaml", verdict("Deployment", unsure)),
        ("d.yaml", verdict("Deployment")),
    ]
    found = list(findings_about(judged))
    assert [(each.id, each.location.file) for each in found] == [
        ("E9301", "a.yaml"), ("E9302", "b.yaml"), ("W9303", "c.yaml"),
    ]  # fmt: skip
    assert all(each.hint and each.id in SCHEDULE_PAGES for each in found)


def test_the_hint_is_about_what_keeps_the_pod_away() -> None:
    for ask, words in (("affinity", "affinity"), ("toleration", "taint"), ("selector", "selector"), ("amount", "less")):
        misfit = Misfit("no", "labels", ask)  # type: ignore[arg-type]  # each of them is an Ask
        (found,) = findings_about([("a.yaml", verdict("DaemonSet", misfit, is_needed=True))])
        assert words in found.hint
        assert ("toleration" in found.hint) == (ask == "toleration")
