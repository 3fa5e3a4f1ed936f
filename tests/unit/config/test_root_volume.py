"""Bounds and defaults of a root volume are those of gp3 in the catalog, which the model may not import."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.machine import RootVolume


def test_the_model_has_the_limits_of_gp3() -> None:
    catalog, fields = load_catalog(), RootVolume.model_json_schema()["properties"]
    for field, name in (("iops", "ebs_gp3_iops"), ("throughput_mibps", "ebs_gp3_throughput")):
        limit = catalog.limits[name]
        bounds = (fields[field]["ge"], fields[field]["le"], fields[field]["default"])
        assert bounds == (limit.minimum, limit.maximum, limit.minimum), field
    size = catalog.limits["ebs_gp3_volume_size"]
    assert fields["size_gib"]["le"] <= (size.maximum or 0), "what a machine can boot from"
