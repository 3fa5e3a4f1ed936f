"""Records of Neuron devices in gres.conf, for every instance type of the catalog."""

from __future__ import annotations

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.schedulers.slurm.gres import gres_of

CATALOG = load_catalog()


@pytest.mark.parametrize(
    ("name", "requested", "files"),
    [
        ("trn2.48xlarge", "gpu:trainium2:16", "/dev/neuron[0-15]"),
        ("trn1.2xlarge", "gpu:trainium:1", "/dev/neuron0"),
        ("inf2.48xlarge", "gpu:inferentia2:12", "/dev/neuron[0-11]"),
    ],
)
def test_the_record_of_an_instance_type(name: str, requested: str, files: str) -> None:
    gres = gres_of(CATALOG.instance_types[name])
    assert gres is not None
    assert gres.requested == requested
    _, kind, count = requested.split(":")
    assert gres.record == {"Name": "gpu", "Type": kind, "Count": count, "File": files, "Flags": "no_gpu_env"}
    record = f"NodeName=node[1-2] Name=gpu Type={kind} Count={count} File={files} Flags=no_gpu_env"
    assert gres.line("node[1-2]") == record


def test_a_type_without_neuron_devices_has_no_record() -> None:
    assert gres_of(CATALOG.instance_types["m7i.large"]) is None


def test_each_type_with_devices_has_as_many_in_its_record() -> None:
    rows = [row for row in CATALOG.instance_types if row.neuron_devices]
    assert len(rows) > 10
    for row in rows:
        gres = gres_of(row)
        assert gres is not None
        assert gres.record["Count"] == str(row.neuron_devices)
        assert gres.record["File"].count("neuron") == 1
