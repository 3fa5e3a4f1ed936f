"""The pods of a neuron-training job wait for each other, and learn each other's places."""

import contextlib
import socket
import threading
import time
from dataclasses import replace
from functools import partial

import pytest
import rendezvous
import ultraserver
from attempts import Limits
from job import CacheOptions, FrontEnd, Job, read_checkpoint_options
from rendezvous import Meeting, Place
from stop_channel import Stopped
from training import ENVIRONMENT


@pytest.fixture
def job() -> Job:
    return Job(
        front_end=FrontEnd.JAX,
        nodes=2,
        node_rank=0,
        cores=64,
        master_host="localhost",
        master_port=29500,
        root_communication_port=63182,
        topology_port=29501,
        ultraserver_size=0,
        start_timeout_seconds=20,
        grace_seconds=20,
        silent_seconds=0,
        stop_signal="SIGTERM",
        stop_folder=None,
        checkpoint_folder=None,
        folder_per_node=False,
        run="",
        restarts=0,
        cache=CacheOptions(folder=None, retries_failed=False, stale_lock_minutes=0),
        checkpoints=read_checkpoint_options(ENVIRONMENT),
        limits=Limits(losses=0, without_checkpoint=0),
        pod="a-node-0-0",
        under_mpirun=False,
    )


def places(*numbers: int, server: str = "s") -> list[Place]:
    return [Place(server, number, f"{server}-{number}", (1, 2, 4)) for number in numbers]


def meeting(job: Job) -> Meeting:
    order = partial(ultraserver.sorted_places, size=job.ultraserver_size) if job.ultraserver_size else sorted
    return Meeting(job=job, order=order, check=lambda: None)


def test_the_nodes_tell_each_other_their_places(job: Job, unused_port: int) -> None:
    """Whatever the order of the pods, all of them come to the same list."""
    four = replace(job, nodes=4, ultraserver_size=4, topology_port=unused_port)
    own = places(2, 0, 3, 1)
    heard: dict[int, list[Place]] = {}

    def node(rank: int) -> None:
        heard[rank] = meeting(replace(four, node_rank=rank)).exchange(own[rank], lambda _: {"127.0.0.1"})

    references = [threading.Thread(target=node, args=(rank,)) for rank in range(4)]
    for thread in references:
        thread.start()
    for thread in references:
        thread.join(timeout=20)
    assert heard == dict.fromkeys(range(4), places(0, 1, 2, 3))


STRANGERS = [
    b"GET / HTTP/1.1\r\n",
    b'["s", 0]\n',
    b'["s", 1, "intruder-0.other.elsewhere.svc", [1]]\n',
    b'["s", 1, "' + b"x" * 100_000 + b'", [1]]\n',
]


@pytest.mark.parametrize("sent", STRANGERS, ids=["no place", "half a place", "of another Service", "without an end"])
def test_the_place_of_a_stranger_is_not_taken(job: Job, unused_port: int, sent: bytes) -> None:
    """Whatever reaches the port of the first pod, the nodes of the job are those that come to the list."""
    two = replace(job, nodes=2, ultraserver_size=2, topology_port=unused_port)
    own = places(0, 1)
    heard: list[list[Place]] = []
    first = threading.Thread(target=lambda: heard.append(meeting(two).exchange(own[0], lambda _: {"127.0.0.1"})))
    first.start()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", unused_port)) as line:
            with contextlib.suppress(ConnectionError):  # the first pod hangs up in the middle of many words
                line.sendall(sent)
            break
    second = meeting(replace(two, node_rank=1, master_host="127.0.0.1")).exchange(own[1])
    first.join(timeout=20)
    assert heard == [second] == [own]


def test_a_pod_is_known_by_the_name_that_the_jobs_own_service_gives_it(job: Job) -> None:
    named = {"llama-node-0-1.llama": {"10.0.0.7"}, "llama-node-0-1.llama.other.svc": {"10.0.0.9"}}
    job = replace(job, master_host="llama-node-0-0.llama")

    def known(host: str, address: str) -> bool:
        return rendezvous.is_of_job(job, host, address, lambda name: named.get(name, set()))

    assert known("llama-node-0-1.llama.team.svc.cluster.local", "10.0.0.7")
    assert not known("llama-node-0-1.llama.other.svc", "10.0.0.9"), "a Service of that name in another namespace"
    assert not known("llama-node-0-1.llama.team.svc.cluster.local", "10.0.0.8")
    assert not known("intruder.other", "10.0.0.7")


@pytest.fixture
def unused_port() -> int:
    import socket

    with socket.create_server(("", 0)) as door:
        return int(door.getsockname()[1])


def test_pods_without_an_ultraserver_meet_in_the_order_of_their_ranks(job: Job, unused_port: int) -> None:
    three = [
        replace(job, nodes=3, node_rank=rank, pod=f"a-node-0-{rank}", topology_port=unused_port) for rank in range(3)
    ]
    heard: dict[int, list[Place]] = {}

    def node(rank: int) -> None:
        own = rendezvous.own_place(three[rank])
        heard[rank] = meeting(three[rank]).exchange(own, lambda _: {"127.0.0.1"})

    threads = [threading.Thread(target=node, args=(rank,)) for rank in (2, 0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert [[place.node for place in heard[rank]] for rank in range(3)] == [[0, 1, 2]] * 3


@pytest.mark.parametrize(("rank", "text"), [(0, "1 of 2 pods were there in 0 s"), (1, "did not send the places")])
def test_a_pod_that_is_not_there_in_time_is_said(job: Job, unused_port: int, rank: int, text: str) -> None:
    alone = replace(job, node_rank=rank, start_timeout_seconds=0, topology_port=unused_port)
    with pytest.raises(rendezvous.Missing, match=text):
        meeting(alone).exchange(rendezvous.own_place(alone))


@pytest.mark.parametrize("rank", [0, 1])
def test_a_stop_ends_the_wait(job: Job, unused_port: int, rank: int) -> None:
    alone = replace(job, node_rank=rank, start_timeout_seconds=600, topology_port=unused_port)

    def check() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        Meeting(job=alone, order=sorted, check=check).exchange(rendezvous.own_place(alone))


def test_a_pod_of_a_pytorchjob_is_known_by_the_service_that_has_its_name(job: Job) -> None:
    """The training operator makes a headless Service for each pod."""
    named = replace(job, master_host="llama-worker-0", pod="llama-worker-1", node_rank=1)
    place = rendezvous.own_place(named)
    assert place == Place("", 1, "llama-worker-1", ())
    addresses = {"llama-worker-1": {"10.0.0.7"}}
    known = [rendezvous.is_of_job(named, place.host, each, addresses.__getitem__) for each in ("10.0.0.7", "10.0.0.8")]
    assert known == [True, False]


def test_a_pod_is_known_by_its_name_in_the_service_of_the_job(job: Job) -> None:
    """Whatever the resolver of the image makes of its own host name."""
    named = replace(job, master_host="llama-node-0-0.llama", pod="llama-node-0-1", node_rank=1)
    assert rendezvous.own_place(named) == Place("", 1, "llama-node-0-1.llama", ())
