"""User data of every machine that can be asked for: MIME whose parts nodeadm and bash can read, within EC2's limit."""

from __future__ import annotations

import email
import email.policy
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.json import decode

from neuron_cluster.bootstrap.node_config import NodeConfig
from neuron_cluster.bootstrap.workstation_boot import HOME_VOLUME_ID, boot_shell, program
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.machine import LocalDisks, Machine
from neuron_cluster.plan.compute_group_plan import BootstrapPlan
from tests.unit.planning.planned import bootstrap_of

CATALOG = load_catalog()
GOLDEN = Path(__file__).parents[2] / "golden"
LIMIT = CATALOG.limits["launch_template_user_data"].maximum or 0
SHELLCHECK = Path(sys.executable).parent / "shellcheck"
NODE_CONFIG, SHELL = "application/node.eks.aws", "text/x-shellscript"
VOLUME = {HOME_VOLUME_ID: "vol-0123456789abcdef0"}

Text = Callable[..., str | None]


def node_variants() -> list[BootstrapPlan]:
    """Every instance type that can be planned, with each LNC that it offers and each use of its local disks."""
    made = []
    for row in CATALOG.instance_types:
        if not row.can_be_planned:
            continue
        for lnc in (None, *(row.logical_nc_configs or ())):
            for disks in (None, *LocalDisks):
                wish = {"instance_type": row.name, "count": {"max": "1"}, "local_disks": disks}
                machine = Machine.model_validate(wish | {"logical_nc_config": lnc})
                made.append(bootstrap_of(machine))
    return made


def workstation_variants() -> list[BootstrapPlan]:
    """Every kind of image, with and without home, virtual environment and an end when idle."""
    return [
        BootstrapPlan(
            boot_shell(
                login_user=dlami.login_user,
                region="us-west-2",
                virtual_environment=folder,
                has_home=has_home,
                stops_when_idle=stops,
            )
        )
        for dlami in CATALOG.dlamis
        for folder in (None, *dlami.virtual_environments.values())
        for has_home in (False, True)
        for stops in (False, True)
    ]


def uses_home(machine: BootstrapPlan) -> bool:
    return HOME_VOLUME_ID in (machine.shell or "")


@pytest.fixture(scope="module")
def text_of(cdk: Any) -> Text:
    """The user data of a machine as EC2 gets it, before base64."""
    from stacks.constructs.user_data import user_data

    stack = cdk.Stack()

    def text(machine: BootstrapPlan, variables: Mapping[str, str] | None = None) -> str | None:
        data = user_data(machine, variables or {})
        return None if data is None else str(stack.resolve(data)["Fn::Base64"])

    return text


@pytest.fixture(scope="module")
def texts(text_of: Text) -> list[str]:
    """All different user data that the variants make."""
    nodes = node_variants()
    workstations = workstation_variants()
    made = [text_of(machine) for machine in nodes]
    made += [text_of(machine, VOLUME if uses_home(machine) else {}) for machine in workstations]
    return sorted({text for text in made if text is not None})


def parts(text: str) -> list[tuple[str, str]]:
    message = email.message_from_string(text, policy=email.policy.default)
    assert message.defects == []
    found = [cast("EmailMessage", part) for part in message.iter_parts()]
    return [(part.get_content_type(), str(part.get_payload(decode=False))) for part in found]


def shell_findings(script: str) -> str:
    ran = subprocess.run(
        [SHELLCHECK, "--shell=bash", "--enable=quote-safe-variables", "--format=gcc", "-"],
        input=script,
        text=True,
        capture_output=True,
        check=False,
    )
    return ran.stdout + ran.stderr


def test_there_is_enough_to_look_at(texts: list[str]) -> None:
    kinds = [tuple(kind for kind, _ in parts(text)) for text in texts]
    assert {(NODE_CONFIG,), (SHELL,), (NODE_CONFIG, SHELL)} == set(kinds)
    assert len(texts) > 20


def test_user_data_is_within_the_limit_of_ec2_and_ascii(texts: list[str]) -> None:
    assert max(len(text.encode("ascii")) for text in texts) <= LIMIT


def test_the_same_machine_gives_the_same_bytes(text_of: Text) -> None:
    first, second = ([text_of(machine) for machine in node_variants()] for _ in range(2))
    assert first == second


def test_the_parts_of_the_mime_document_are_what_was_put_in(text_of: Text) -> None:
    """No line of a part looks like the boundary."""
    for machine in node_variants():
        text = text_of(machine)
        wanted = [each for each in (machine.node_config, machine.shell) if each is not None]
        found = [content for _, content in parts(text)] if text is not None else []
        assert len(found) == len(wanted)
        for content, given in zip(found, wanted, strict=True):
            assert content.rstrip("\n").endswith(given.rstrip("\n"))


def test_every_node_config_is_one_that_nodeadm_documents(texts: list[str]) -> None:
    configs = [content for text in texts for kind, content in parts(text) if kind == NODE_CONFIG]
    assert configs
    for content in configs:
        decode(content, type=NodeConfig)


@pytest.mark.slow
def test_shellcheck_finds_nothing_in_any_shell_part(texts: list[str]) -> None:
    scripts = {content for text in texts for kind, content in parts(text) if kind == SHELL}
    assert len(scripts) > 10
    findings = {script: shell_findings(script) for script in sorted(scripts)}
    assert [(found, script) for script, found in findings.items() if found] == []


@pytest.mark.parametrize("name", ["attach-home", "stop-when-idle"])
def test_shellcheck_finds_nothing_in_the_programs_of_a_workstation(name: str) -> None:
    assert shell_findings(program(name)) == ""


def test_shellcheck_sees_a_mistake() -> None:
    assert "SC2086" in shell_findings("#!/bin/bash\nrm -r $1\n")


@pytest.mark.slow
def test_shell_parts_of_shipped_environments_are_clean() -> None:
    """The shell parts are those of golden templates, which are what the environments synthesize to."""
    scripts = set()
    for file in sorted(GOLDEN.glob("*/*.template.json")):
        for resource in json.loads(file.read_text())["Resources"].values():
            data = resource.get("Properties", {}).get("LaunchTemplateData", {}).get("UserData")
            if data is not None:
                scripts |= {content for kind, content in parts(_told(data["Fn::Base64"])) if kind == SHELL}
    assert scripts
    assert {script: found for script in sorted(scripts) if (found := shell_findings(script))} == {}


def _told(value: Any) -> str:
    """A text with a made-up id for each reference."""
    joined = value["Fn::Join"][1] if isinstance(value, dict) else [value]
    return "".join(part if isinstance(part, str) else "vol-0123456789abcdef0" for part in joined)
