"""Environments with Slurm at random: a shipped one, with a drawn choice of parts next to a Slurm cluster.

Drawn as all others are, few would have two of these at once; here each has about half of them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from drawn import PATHS, containers, edited, filled_in, thinned
from hypothesis import assume
from hypothesis import strategies as st
from known_names import KnownNames
from repair import holds, moved, repaired, shipped, with_slurm, zones_in
from yaml_text import Edit, Environment, Tree

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.environment_config import environment_model
from tests.existing_vpc import existing_vpc

SECTIONS = ("slurm", "teams", "storage", "network", "tags", "lifecycle")
RESERVED = "cr-0123456789abcdef0"
WAYS = (
    {"kind": "on_demand"},
    {"kind": "spot"},
    {"kind": "reservation", "reservation_id": RESERVED},
    {"kind": "capacity_block", "reservation_id": RESERVED},
)
"""Purchase options, of which a repair removes those that are not sold."""
OF_SLURM = [path for path in PATHS if path.startswith("slurm.")]
EDITED = [path for path in PATHS if path.startswith(SECTIONS)]


def slurm_environments() -> st.SearchStrategy[Environment]:
    """Environments with Slurm, without an error."""
    return slurm_places().map(lambda found: Environment(found[0]))


@st.composite
def slurm_edits(draw: st.DrawFn) -> Edit:
    """An edit of one field of an environment with Slurm, or of a section that it shares."""
    tree, known = draw(slurm_places())
    chosen = draw(st.sampled_from([path for path in EDITED if any(containers(tree, path))]))
    after = draw(edited(tree, known, chosen))
    assume(after is not None and "slurm" in after)
    return Edit(chosen, tree, after or tree)


@st.composite
def slurm_places(draw: st.DrawFn) -> tuple[Tree, KnownNames]:
    """An environment with Slurm that can be deployed, and the names that it chooses from."""
    tree = copy.deepcopy(draw(st.sampled_from(with_slurm())))
    zones = (*zones_in(tree), *load_catalog().regions.zone_ids(tree["region"]))
    known = KnownNames(tree["region"], tuple(dict.fromkeys(zones)))
    for add in BESIDE.values():
        if draw(st.booleans()):
            add(tree, known)
    group = draw(st.sampled_from(tree["slurm"]["groups"]))
    group["capacity"] = {**draw(st.sampled_from(WAYS))}
    wanted = draw(st.sampled_from(OF_SLURM)).split(".")
    draw(thinned(tree, environment_model()))
    draw(filled_in(tree, environment_model(), known, wanted))
    if draw(st.booleans()):
        tree["network"] = existing_vpc(*known.zones[:2], public=known.zones[0])["network"]
    found = repaired(tree, known, wanted, deployable=True)
    assume(found is not None and "slurm" in found)
    return found or tree, known


def _add_teams(tree: Tree, _: KnownNames) -> None:
    tree["teams"] = _of_golden("teams")


def _add_storage(tree: Tree, known: KnownNames) -> None:
    golden = with_slurm()[-1]
    tree["storage"] = moved(golden["storage"], known, sorted(zones_in(golden)))


def _add_eks(tree: Tree, known: KnownNames) -> None:
    """Adds Kubernetes to Slurm, in its zones."""
    other = next(each for each in shipped() if each["name"] == "train-trn1")
    tree["eks"] = moved(other["eks"], known, [*dict.fromkeys(zones_in(other))])


def _add_settings(tree: Tree, _: KnownNames) -> None:
    tree["slurm"]["settings"] = {"SchedulerParameters": "bf_interval=60"}
    tree["slurm"]["groups"][0]["settings"] = {"Weight": "10"}
    tree["slurm"]["queues"][0]["settings"] = {"MaxTime": "60"}


def _of_golden(key: str) -> Any:
    return copy.deepcopy(with_slurm()[-1][key])


BESIDE: Mapping[str, Callable[[Tree, KnownNames], None]] = {
    "teams": _add_teams,
    "storage": _add_storage,
    "eks": _add_eks,
    "settings": _add_settings,
}
"""Parts that are added to the tree, each in half of the environments."""
ASPECTS: Mapping[str, tuple[str, ...]] = {
    "teams": ("teams",),
    "Lustre": ("storage", "lustre"),
    "EFS": ("storage", "efs"),
    "checkpoint bucket": ("storage", "checkpoint_bucket"),
    "both providers": ("eks",),
    "settings of a queue": ("slurm", "queues[]", "settings"),
    "VPC that exists": ("network", "existing"),
}

ALL_ASPECTS = {*ASPECTS, *(way["kind"] for way in WAYS)}


def aspects(tree: Tree) -> set[str]:
    """Returns the aspects of the environment, of ``ASPECTS`` and the ways in which Slurm groups are bought."""
    bought = {each["capacity"]["kind"] for each in tree["slurm"]["groups"] if "capacity" in each}
    return {name for name, path in ASPECTS.items() if holds(tree, path)} | bought
