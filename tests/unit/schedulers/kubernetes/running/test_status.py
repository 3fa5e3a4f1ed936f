"""The numbers of a status, from objects."""

from __future__ import annotations

from neuron_cluster.schedulers.kubernetes.running.ranked_pods import pod_of_rank, ranked_pods
from neuron_cluster.schedulers.kubernetes.running.status import Restarts, status_of
from neuron_cluster.schedulers.kubernetes.running.status_page import age

from .observed import container, deployment, ended, event, job_set, node, pod, running_pod, situation_of


def test_pods_are_counted_by_what_they_wait_for() -> None:
    waiting = container({"waiting": {"reason": "ImagePullBackOff"}})
    leaving = pod(3, deletionTimestamp="2026-11-26T11:50:00Z")
    found = status_of(situation_of(job_set(queue=""), node(), waiting, running_pod(1), pod(2), leaving), None, None)
    assert found.pods == {"ImagePullBackOff": 1, "Ready": 1, "Pending": 1, "Terminating": 1}
    assert (found.state, found.expected_pods, found.admission) == ("starting", 2, None)
    assert found.first_cause is not None


def test_restarts_of_a_server_are_those_of_its_containers() -> None:
    server = deployment(1)
    running = running_pod(0)
    running["metadata"]["labels"] = server["metadata"]["labels"]
    running["status"]["containerStatuses"][0]["restartCount"] = 4
    found = status_of(situation_of(server, running), None, None)
    assert (found.restarts, found.state, found.age_seconds) == (Restarts(4, 0), "running", 1200)


def test_exit_codes_are_those_of_the_last_end() -> None:
    found = status_of(situation_of(job_set(queue=""), ended(76), node()), None, None)
    assert found.exit_codes == {"llama-node-0-0-abcde": 76}


def test_the_newest_pod_of_a_rank_counts() -> None:
    later = running_pod(0) | {"metadata": running_pod(0)["metadata"] | {"name": "llama-node-0-0-later",
                              "creationTimestamp": "2026-11-26T11:55:00Z"}}  # fmt: skip
    release = situation_of(job_set(), running_pod(1), later, running_pod(0), event("x", "y", "z")).release
    assert [(each.rank, each.name) for each in ranked_pods(release)] == [
        (0, "llama-node-0-0-later"),
        (1, "llama-node-0-1-abcde"),
    ]
    assert pod_of_rank(release, None).rank == 0


def test_the_launcher_leads_an_mpi_job() -> None:
    launcher = pod(9)
    launcher["metadata"]["name"] = "llama-launcher-x"
    launcher["metadata"]["labels"] |= {"app.kubernetes.io/component": "launcher"}
    release = situation_of(job_set(), running_pod(0), launcher).release
    assert pod_of_rank(release, None).name == "llama-launcher-x"
    assert pod_of_rank(release, 0).name == "llama-node-0-0-abcde"


def test_ages() -> None:
    assert [age(seconds) for seconds in (5, 119, 120, 7199, 7200, 172800)] == [
        "5 s",
        "119 s",
        "2 min",
        "119 min",
        "2 h",
        "2 d",
    ]
