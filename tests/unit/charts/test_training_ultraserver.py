"""Places of the nodes of a neuron-training job in UltraServers."""

from pathlib import Path

import pytest
import ultraserver
from rendezvous import Place
from ultraserver import WrongPlacement


def places(*numbers: int, server: str = "s") -> list[Place]:
    return [Place(server, number, f"{server}-{number}", (1, 2, 4)) for number in numbers]


def test_places_are_sorted_by_server_and_number() -> None:
    ordered = ultraserver.sorted_places(places(1, 0, server="b") + places(1, 0, server="a"), 2)
    assert [place.host for place in ordered] == ["a-0", "a-1", "b-0", "b-1"]


@pytest.mark.parametrize("found", [places(0, 1, 2), places(0, 1, 2, 2)], ids=["one is missing", "one is double"])
def test_an_ultraserver_that_is_not_whole_is_refused(found: list[Place]) -> None:
    with pytest.raises(WrongPlacement, match="not 4"):
        ultraserver.sorted_places(found, 4)


def test_the_runtime_is_told_place_and_mode() -> None:
    ordered = places(0, 1)
    assert ultraserver.environment(ordered, ordered[1], 2) == {
        "NEURON_GLOBAL_TOPOID": "1",
        "NEURON_GLOBAL_TOPOID0_HOST": "s-0",
        "NEURON_RT_ULTRASERVER_MODE": "2",
        "NEURON_RT_ULTRASERVER_SERVER_ID": "s",
        "NEURON_RT_ULTRASERVER_NODE_ID": "1",
    }


def test_a_node_without_the_mode_is_refused() -> None:
    alone = Place("s", 0, "s-0", (4,))
    with pytest.raises(WrongPlacement, match="its modes are"):
        ultraserver.environment([alone], alone, 4)


def test_the_driver_tells_the_place(tmp_path: Path) -> None:
    (tmp_path / "server_id_4").write_text("bog79p\n")
    (tmp_path / "node_id_4").write_text("2\n")
    (tmp_path / "ultraserver_mode").write_text("1,2,4\n")
    assert ultraserver.own_place(4, "host", tmp_path) == Place("bog79p", 2, "host", (1, 2, 4))
    with pytest.raises(WrongPlacement, match="no UltraServer of 2"):
        ultraserver.own_place(2, "host", tmp_path)


def test_the_driver_of_trn3_tells_one_place_for_all_sizes(tmp_path: Path) -> None:
    (tmp_path / "reservation_id").write_text("cr-0123456789abcdef0\n")
    (tmp_path / "node_id").write_text("3\n")
    (tmp_path / "ultraserver_mode").write_text("1,2\n")
    assert ultraserver.own_place(4, "host", tmp_path) == Place("cr-0123456789abcdef0", 3, "host", (1, 2))
