"""The recipe of an AMI of nodes: its components in the order in which they run, and its version."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.image.clients import client_steps
from neuron_cluster.image.component import (
    TEST,
    VALIDATE,
    Component,
    Step,
    content_number,
    document,
    image_script,
    step_document,
)
from neuron_cluster.image.node_image import NodeImage

NODE_SCRIPTS = "scripts"
"""Component with the programs of the toolkit."""
ROOT_VOLUME: dict[str, Any] = {"volume_type": "gp3", "encrypted": True, "delete_on_termination": True}
"""Without a size it is that of the parent: a larger one would not fit the nodes' root volumes."""


class Additions(Struct, frozen=True, kw_only=True):
    """The part of the recipe that the provider and the scheduler of the nodes add."""

    installers: tuple[Step, ...]
    """Run before the clients of file systems are installed: agents, the scheduler."""
    software: tuple[Step, ...]
    """Run after that: what jobs use."""
    scripts_title: str
    scripts: str
    """Shell that writes the programs of the toolkit, which each start of a node writes again."""
    checks: Step
    """Has the text of ``clients.common_checks``. It runs before the AMI is made, and on an instance of it."""


class Recipe(Struct, frozen=True):
    """Components in order. ``version`` changes with everything that the AMI is built from."""

    components: tuple[Component, ...]
    version: str
    """Its second number changes with software, its third with scripts."""


def node_recipe(image: NodeImage, additions: Additions, catalog: Catalog) -> Recipe:
    """The recipe of an AMI with what its provider and its scheduler add."""
    components = tuple(_components(image, additions, catalog))
    return Recipe(components, _version(image, components))


def software_version(version: str) -> str:
    """The version of a recipe without the scripts, which each start of a node writes again."""
    return version.rpartition(".")[0]


def _version(image: NodeImage, components: tuple[Component, ...]) -> str:
    every = {component.name: component.version for component in components}
    scripts = every.pop(f"{image.name}-{NODE_SCRIPTS}")
    parts = [image.parent or "", image.root_device_name, json.dumps(ROOT_VOLUME)]
    software = content_number("\n".join([*parts, *(f"{name} {version}" for name, version in every.items())]))
    return f"1.{software}.{scripts.rpartition('.')[2]}"


def _components(image: NodeImage, additions: Additions, catalog: Catalog) -> Iterator[Component]:
    prepare = Step(name="prepare", script=image_script("prepare.sh"))
    for step in (prepare, *additions.installers, *client_steps(image, catalog), *additions.software):
        yield Component(f"{image.name}-{step.name}", step_document(step))
    yield Component(f"{image.name}-{NODE_SCRIPTS}", document(additions.scripts_title, additions.scripts))
    for name, phase in (("checks", VALIDATE), ("tests", TEST)):
        yield Component(f"{image.name}-{name}", step_document(additions.checks, phase))
