"""Hosts or workloads first: by the drivers that the two runtimes take."""

import pytest
from msgspec import structs

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.neuron_sdk import NeuronSdk
from neuron_cluster.upgrade.rollout import First, rollout


def sdk(runtime: str | None) -> NeuronSdk:
    return structs.replace(load_catalog().neuron_sdks.rows[-1], runtime=runtime)


@pytest.mark.parametrize(
    ("runtimes", "drivers", "first", "says"),
    [
        (("2.31.24.0", "2.32.31.0"), ("2.27.4.0", "2.28.0.0"), First.ANY, "work with each other"),
        (
            ("2.31.24.0", "2.34.10.0"),
            ("2.26.10.0", "2.28.0.0"),
            First.HOSTS,
            "2.34.10.0 does not work with driver 2.26",
        ),
        (
            ("2.31.24.0", "2.34.10.0"),
            ("2.28.0.0", "2.29.0.0"),
            First.WORKLOADS,
            "2.31.24.0 does not work with driver 2",
        ),
        (
            ("2.31.24.0", "2.34.10.0"),
            ("2.26.10.0", "2.29.0.0"),
            First.TOGETHER,
            "nor runtime 2.31.24.0 with driver 2.29",
        ),
        (("2.34.10.0", "2.35.30.0"), (None, None), First.NOT_KNOWN, "either side first, if the hosts have driver 2.27"),
        (("2.31.24.0", "2.35.30.0"), (None, None), First.NOT_KNOWN, "2.31.24.0 works with a driver below 2.29"),
        (("2.31.24.0", None), ("2.28.0.0", "2.28.0.0"), First.NOT_KNOWN, "has no runtime for one of the releases"),
    ],
)
def test_the_order(
    runtimes: tuple[str | None, str | None], drivers: tuple[str | None, str | None], first: First, says: str
) -> None:
    found = rollout(sdk(runtimes[0]), sdk(runtimes[1]), *drivers, load_catalog())
    assert found.first is first
    assert says in found.description
    assert found.doubt is None


def test_a_conflict_in_doubt_gives_an_order_in_doubt() -> None:
    found = rollout(sdk("2.31.24.0"), sdk("2.34.10.0"), "2.28.0.0", "2.30.2.0", load_catalog())
    assert found.first is First.WORKLOADS
    assert found.doubt is not None
