"""A DLAMI of an operating system without a Lustre client, in an environment with a file system."""

from __future__ import annotations

from pathlib import Path

import yaml
from msgspec import structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.pipeline import check_environment

LUSTRE = {"availability_zone": "usw2-az4", "capacity_gib": "1200"}


class NewerSystem(Catalog):
    """The shipped catalog, with Ubuntu 26.04 in the base image of Ubuntu 24.04."""

    dlamis = Catalog.dlamis.with_rows(
        structs.replace(row, operating_system="Ubuntu 26.04") if row.name == "base_ubuntu_24_04" else row
        for row in Catalog.dlamis
    )


def found(file: Path, catalog: Catalog) -> list[tuple[str, str]]:
    findings = check_environment(file, catalog=catalog).findings
    return [(each.location.path, each.hint) for each in findings if each.id == "E4070"]


def test_the_group_and_the_images_that_have_a_client_are_named(environment: Path) -> None:
    tree = yaml.safe_load(environment.read_text("utf-8"))
    tree["storage"] = {"lustre": LUSTRE}
    environment.write_text(yaml.safe_dump(tree), "utf-8")
    [(path, hint)] = found(environment, NewerSystem())
    assert path == "auto_scaling.groups[0].dlami"
    assert "base_amazon_linux_2023" in hint
    assert found(environment, Catalog()) == []
