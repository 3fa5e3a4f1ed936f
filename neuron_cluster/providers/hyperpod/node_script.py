"""The life cycle script of a group of a Slurm cluster: HyperPod runs it once its own configuration has ended."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from neuron_cluster.providers.hyperpod.plan.slurm_plan import HyperPodSlurmGroupPlan, HyperPodSlurmPlan
from neuron_cluster.schedulers.slurm import node_start_script as parts
from neuron_cluster.schedulers.slurm.gres import DEVICE_FOLDER
from neuron_cluster.schedulers.slurm.node_files import writing_commands
from neuron_cluster.schedulers.slurm.script_settings import FOLDER

TEXTS = Path(__file__).with_name("node_start")
SETTINGS, GIVEN = "hyperpod/slurm_settings.py", "hyperpod/slurm_settings.json"
"""Files of the controller."""
DEVICES = "hyperpod/node_devices.sh"
"""The file of a node that runs jobs. One without devices may have the address, and so the name, of one with them."""


def node_script(group: HyperPodSlurmGroupPlan, slurm: HyperPodSlurmPlan) -> str:
    """The same plan gives the same bytes. Its argument is the checkpoint bucket, where jobs have a cache in it."""
    start = group.start
    texts = [
        f"{_text('header.sh')}{parts.start_functions()}\n{_text('slurm.sh')}\n{parts.user_functions()}",
        *(["BUCKET=${1:?}\n"] if start.has_bucket else []),
        *parts.limits_and_files(start),
        *parts.closed_metadata(start),
        *parts.bucket_of_cache(start),
        *parts.devices(start),
        *parts.users(start),
        *_slurm(group, slurm),
    ]
    return "".join(texts)


def _text(name: str) -> str:
    return (TEXTS / name).read_text(encoding="utf-8")


def _slurm(group: HyperPodSlurmGroupPlan, slurm: HyperPodSlurmPlan) -> Iterator[str]:
    commands = group.start.node.slurm_commands
    if group is slurm.controller:
        given = json.dumps(controller_settings(slurm), indent=1) + "\n"
        yield from writing_commands({SETTINGS: _text("slurm_settings.py"), GIVEN: given})
        program = f"/usr/bin/python3 {FOLDER}/{SETTINGS}"
        yield f"keep_running neuron-cluster-slurm 'Settings and Neuron devices in slurm.conf' {commands} {program}\n"
    elif group.queue is not None:
        yield from writing_commands({DEVICES: _text("node_devices.sh")})
        program = f"/bin/bash {FOLDER}/{DEVICES} {group.gres.requested if group.gres is not None else 'none'}"
        yield f"keep_running neuron-cluster-devices 'Neuron devices of this node in Slurm' {commands} {program}\n"


def controller_settings(slurm: HyperPodSlurmPlan) -> Mapping[str, object]:
    """The input of slurm_settings.py: settings, and the commands of the controller."""
    commands = slurm.controller.start.node.slurm_commands
    return {
        "folder": slurm.configuration_folder,
        "settings": dict(slurm.settings),
        "devices": f"{DEVICE_FOLDER}/neuron",
        "show_nodes": [f"{commands}/scontrol", "--oneliner", "show", "node"],
        "reconfigure": [f"{commands}/scontrol", "reconfigure"],
    }


def launcher(url: str, digest: str, *, has_bucket: bool) -> str:
    """The life cycle script in the bucket of scripts: it verifies the other, long one, and runs it.

    ``{BUCKET}`` stands for the checkpoint bucket, which the function that writes the script knows.
    """
    text = _text("launcher.sh").replace("<url>", url).replace("<digest>", digest)
    return text.replace("<arguments>", " {BUCKET}" if has_bucket else "")
