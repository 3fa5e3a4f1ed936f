"""charts/collectives-check tells the runtime where its nodes are in UltraServers, as AWS's script does."""

import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

FILES = Path(__file__).parents[3] / "charts" / "collectives-check" / "files"
sys.path.insert(0, str(FILES))

import ultraserver_places
from ultraserver_places import Place, WrongPlacement, environment, exchange, own_place, sorted_places

HOSTS = [f"a-r1-{pod}.a" for pod in range(4)]


class ConfigMap:
    """One of a cluster: a patch changes the keys that it names. The first read and the first write are errors."""

    def __init__(self, data: Mapping[str, str] | None = None) -> None:
        self.data = dict(data or {})
        self._failures = {"read", "write"}

    def read(self) -> Mapping[str, str]:
        self._fail_once("read")
        return dict(self.data)

    def write(self, data: Mapping[str, str]) -> None:
        self._fail_once("write")
        self.data.update(data)

    def _fail_once(self, verb: str) -> None:
        if verb in self._failures:
            self._failures.remove(verb)
            raise OSError("the API server is restarted")


def sysfs(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name).write_text(f"{text}\n")
    return folder


def test_trn2_tells_a_place_for_each_size(tmp_path: Path) -> None:
    sysfs(tmp_path, server_id_4="bog7", node_id_4="2", ultraserver_mode="1,2,4")
    assert own_place(4, 3, tmp_path) == Place("bog7", 2, 3, (1, 2, 4))
    with pytest.raises(WrongPlacement, match=r"in no UltraServer of 2.*server_id_2"):
        own_place(2, 3, tmp_path)


def test_trn3_tells_one_place(tmp_path: Path) -> None:
    sysfs(tmp_path, reservation_id="cr-1", node_id="1", ultraserver_mode="1,4")
    assert own_place(4, 0, tmp_path) == Place("cr-1", 1, 0, (1, 4))


def test_a_node_outside_of_ultraservers_is_named(tmp_path: Path) -> None:
    with pytest.raises(WrongPlacement, match="No such file"):
        own_place(4, 0, tmp_path)


def test_the_variables_follow_the_order_of_servers_and_nodes() -> None:
    """Pods 2 and 0 are in one UltraServer, 3 and 1 in the other."""
    places = [Place("b", 1, 0, (3,)), Place("a", 1, 1, (2,)), Place("b", 0, 2, (2, 3)), Place("a", 0, 3, (3,))]
    ordered = sorted_places(places, 2)
    assert [place.pod for place in ordered] == [3, 1, 2, 0]
    assert environment(ordered, places[2], 2, HOSTS) == {
        "NEURON_GLOBAL_TOPOID": "2",
        "NEURON_GLOBAL_TOPOID0_HOST": "a-r1-3.a",
        "NEURON_RT_ULTRASERVER_MODE": "3",
        "NEURON_RT_ULTRASERVER_SERVER_ID": "b",
        "NEURON_RT_ULTRASERVER_NODE_ID": "0",
    }
    assert environment(ordered, places[1], 2, HOSTS)["NEURON_RT_ULTRASERVER_MODE"] == "2"
    with pytest.raises(WrongPlacement, match=r"cannot work in 4s: its modes are \(3,\)"):
        environment(ordered, places[0], 4, HOSTS)


@pytest.mark.parametrize("nodes", [[0, 1, 2], [0, 1, 2, 2]])
def test_an_ultraserver_that_is_not_whole_is_named(nodes: list[int]) -> None:
    with pytest.raises(WrongPlacement, match=r"UltraServer s takes part with nodes .* which are not 4"):
        sorted_places([Place("s", node, pod, (1,)) for pod, node in enumerate(nodes)], 4)


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ultraserver_places, "POLL_SECONDS", 0.01)


@pytest.mark.usefixtures("no_pause")
def test_pods_learn_the_places_of_their_own_job_alone() -> None:
    """The ConfigMap keeps what an earlier revision of the release wrote."""
    notes = ConfigMap({"place-1": '{"job": "a-r1", "place": {"server": "old", "node": 9, "pod": 1, "modes": []}}'})
    own = [Place("s", 1 - pod, pod, (2, 3)) for pod in range(2)]
    learnt: dict[int, list[Place]] = {}

    def take_part(pod: int) -> None:
        learnt[pod] = exchange(notes, "a-r2", own[pod], 2, 60)

    pods = [threading.Thread(target=take_part, args=(pod,)) for pod in range(2)]
    for pod in pods:
        pod.start()
    for pod in pods:
        pod.join()
    assert learnt == {0: own, 1: own}


@pytest.mark.usefixtures("no_pause")
def test_a_pod_that_does_not_come_is_named() -> None:
    with pytest.raises(TimeoutError, match=r"pods \[1\] did not write their place"):
        exchange(ConfigMap(), "a-r1", Place("s", 0, 0, (2,)), 2, 0.02)


@pytest.mark.usefixtures("no_pause")
def test_a_pod_that_ended_and_whose_node_has_another_one_is_waited_for() -> None:
    """Pod 0 gave up, and pod 1 got its node: two of one node are not both there."""
    notes = ConfigMap({"place-0": '{"job": "a-r1", "place": {"server": "s", "node": 0, "pod": 0, "modes": []}}'})
    with pytest.raises(TimeoutError, match=r"pods \[0\] did not write their place"):
        exchange(notes, "a-r1", Place("s", 0, 1, (2,)), 2, 0.5)
