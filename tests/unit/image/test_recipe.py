"""The recipe of an AMI with what a provider outside of the toolkit adds, without a scheduler of it."""

from __future__ import annotations

import json

import pytest
from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.image.clients import client_checks, client_titles, common_checks
from neuron_cluster.image.component import Step
from neuron_cluster.image.recipe import Additions, node_recipe, software_version

CATALOG = load_catalog()


class Image(Struct, frozen=True):
    name: str = "batch"
    parent: str | None = "ami-0abc0abc0abc0abc0"
    operating_system: str = "Amazon Linux 2023"
    root_device_name: str = "/dev/xvda"
    has_lustre: bool = True
    efs_package: str | None = "amazon-efs-utils"
    needs_efs: bool = False
    needs_lustre: bool = False


FAIL = '# Checks a node. Given: WITH_LUSTRE, WITH_EFS.\nfail() { echo "$1"; exit 1; }\n'
ADDITIONS = Additions(
    installers=(Step(name="agent", script="# Installs an agent.\n", values={"URL": "https://a b"}),),
    software=(Step(name="jobs", script="# What jobs use.\n"),),
    scripts_title="Scripts of nodes",
    scripts="true\n",
    checks=Step(name="checks", script=f"{FAIL}{common_checks()}", values=client_checks(Image())),
)


def test_a_provider_adds_its_agent_before_clients_and_software_of_jobs_behind_them() -> None:
    recipe = node_recipe(Image(), ADDITIONS, CATALOG)
    names = ("prepare", "agent", "lustre", "efs", "jobs", "scripts", "checks", "tests")
    assert [component.name for component in recipe.components] == [f"batch-{name}" for name in names]
    agent = json.loads(recipe.components[1].text)
    assert agent["description"] == "Installs an agent"
    (command,) = agent["phases"][0]["steps"][0]["inputs"]["commands"]
    assert command.startswith("URL='https://a b'\n# Functions of the other scripts")
    assert not any("slurm" in component.text for component in recipe.components[1:]), "of a scheduler that has no part"


@pytest.mark.parametrize(
    ("additions", "is_other_software"),
    [
        (replace(ADDITIONS, scripts="false\n"), False),
        (replace(ADDITIONS, installers=()), True),
        (replace(ADDITIONS, software=(Step(name="jobs", script="# Other.\n"),)), True),
    ],
    ids=["scripts", "installers", "software"],
)
def test_scripts_change_only_the_last_number_of_the_version(additions: Additions, *, is_other_software: bool) -> None:
    before, after = node_recipe(Image(), ADDITIONS, CATALOG).version, node_recipe(Image(), additions, CATALOG).version
    assert after != before
    assert (software_version(after) != software_version(before)) is is_other_software


def test_clients_that_the_operating_system_lacks_are_neither_installed_nor_listed() -> None:
    image = Image(has_lustre=False, efs_package=None)
    names = [component.name for component in node_recipe(image, ADDITIONS, CATALOG).components]
    assert not {"batch-lustre", "batch-efs"}.intersection(names)
    assert list(client_titles(image)) == []
    assert list(client_titles(Image(needs_lustre=True))) == ["Lustre client", "EFS mount helper"]
