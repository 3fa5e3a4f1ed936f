"""Which users of a Slurm node reach the instance metadata service, which has the credentials of the node's role."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.providers.pcs.node_script import node_script
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from neuron_cluster.schedulers.slurm.node_files import node_files
from neuron_cluster.schedulers.slurm.node_settings import node_settings
from neuron_cluster.schedulers.slurm.node_start_plan import NodeStartPlan

IPV4, IPV6 = "169.254.169.254", "fd00:ec2::254"
FAILS = "#!/bin/sh\nexit 1\n"
NFT = '#!/bin/bash\n{ echo "nft $*"; cat; } >>"$CALLS"\n'
IPTABLES = """\
#!/bin/bash
name=${0##*/}
rule="${*:3}"
case $2 in
  --check) grep -qxF "$name $rule" "$CALLS" ;;
  --insert) echo "$name $rule" >>"$CALLS" ;;
esac
"""
BUCKET = {"storage": {"checkpoint_bucket": {}, "compile_cache": {}}}
TEAMS = {"teams": [{"name": "research", "members": ["arn:aws:iam::111122223333:role/research"]}]}

PlanOf = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a script of the node; no program of this machine that sets rules is ever called."""
    made = node_settings(
        load_catalog().instance_types["m7i.large"], slurm_commands=str(tmp_path), has_closed_metadata=True
    )
    settings = msgspec.structs.replace(made, minimum_free_mib=0)
    for name, text in node_files(settings).items():
        path = tmp_path / "node" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    calls = tmp_path / "calls"

    def run(script: str, *, ipv6: bool = True, **programs: str) -> subprocess.CompletedProcess[str]:
        standing = {"nft": FAILS, "iptables": FAILS, "ip6tables": FAILS, "squeue": "#!/bin/sh\n"}
        standing |= {"scontrol": '#!/bin/bash\necho "scontrol $*" >>"$CALLS"\n', **programs}
        for name, text in standing.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
            (tmp_path / name).chmod(0o755)
        calls.touch()
        environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "CALLS": str(calls), "SLURMD_NODENAME": "n1"}
        environment["IPV6_FOLDER"] = str(tmp_path if ipv6 else tmp_path / "none")
        command = ["bash", str(tmp_path / "node" / "slurm" / script)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    return run


def calls(tmp_path: Path) -> list[str]:
    return (tmp_path / "calls").read_text(encoding="utf-8").splitlines()


def test_nft_lets_root_alone_reach_both_addresses(run: Callable[..., Any], tmp_path: Path) -> None:
    """A list of who may: a user namespace gives a user other ids, so that a list of users would be incomplete."""
    assert run("metadata_access.sh", nft=NFT).returncode == 0
    lines = [line.strip() for line in calls(tmp_path)]
    assert lines[:3] == ["nft --file -", "table inet neuron_cluster", "delete table inet neuron_cluster"]
    for family, address in (("ip", IPV4), ("ip6", IPV6)):
        rules = [line for line in lines if line.startswith(f"{family} daddr {address} ")]
        assert rules == [f"{family} daddr {address} meta skuid 0 accept", f"{family} daddr {address} reject"]


@pytest.mark.parametrize("ipv6", [True, False])
def test_iptables_sets_each_rule_once(run: Callable[..., Any], tmp_path: Path, *, ipv6: bool) -> None:
    for _ in range(2):
        assert run("metadata_access.sh", ipv6=ipv6, iptables=IPTABLES, ip6tables=IPTABLES).returncode == 0
    rule = "OUTPUT --destination {} --match owner ! --uid-owner 0 --jump REJECT"
    expected = [f"iptables {rule.format(IPV4)}", *([f"ip6tables {rule.format(IPV6)}"] if ipv6 else [])]
    assert calls(tmp_path) == expected


@pytest.mark.parametrize("programs", [{}, {"iptables": IPTABLES}, {"ip6tables": IPTABLES}])
def test_an_address_that_stays_open_is_an_error(run: Callable[..., Any], programs: dict[str, str]) -> None:
    assert run("metadata_access.sh", **programs).returncode == 1


def test_the_prolog_sets_the_rules_again_and_else_drains_the_node(run: Callable[..., Any], tmp_path: Path) -> None:
    assert run("prolog.sh", nft=NFT).returncode == 0
    assert calls(tmp_path)[0] == "nft --file -"
    ran = run("prolog.sh", nft="#!/bin/sh\necho no such table >&2; exit 1\n")
    assert ran.returncode == 1
    assert "jobs reach the instance metadata: " in ran.stderr
    assert calls(tmp_path)[-1].startswith("scontrol update nodename=n1 state=drain reason=neuron-cluster: jobs reach")


DRAINED = """\
#!/bin/bash
echo "scontrol $*" >>"$CALLS"
if [[ $* == *"show node"* ]]; then
  echo "NodeName=n1 State=IDLE+DRAIN Reason=neuron-cluster: jobs reach the instance metadata: busy [root@2026-11-29]"
fi
"""


@pytest.mark.parametrize(("nft", "is_resumed"), [(NFT, True), (FAILS, False)])
def test_a_node_that_was_drained_for_the_rules_is_resumed_when_they_are_set(
    run: Callable[..., Any], tmp_path: Path, nft: str, *, is_resumed: bool
) -> None:
    """One failed call would otherwise take a node out of service until somebody looks."""
    run("health_check.sh", nft=nft, scontrol=DRAINED)
    assert ("scontrol update nodename=n1 state=resume" in calls(tmp_path)) is is_resumed


def start_of(plan_of: PlanOf, edits: dict[str, Any]) -> NodeStartPlan:
    slurm = plan_of("slurm-trn1", edits).provider(SlurmPlan)
    start: NodeStartPlan = slurm.compute_groups[0].start
    return start


@pytest.mark.parametrize(
    ("edits", "is_closed"), [({}, True), (BUCKET, False), ({**BUCKET, **TEAMS}, True), (TEAMS, True)]
)
def test_metadata_is_closed_with_teams_and_where_no_job_has_a_use_of_the_role(
    edits: dict[str, Any], plan_of: PlanOf, *, is_closed: bool
) -> None:
    start = start_of(plan_of, edits)
    assert start.node.has_closed_metadata is is_closed
    assert ("\nclose_metadata /opt/neuron-cluster/slurm\n" in node_script(start)) is is_closed


def test_metadata_is_closed_before_there_are_users_of_teams(plan_of: PlanOf) -> None:
    text = node_script(start_of(plan_of, {**BUCKET, **TEAMS}))
    steps = ["<<'END_OF_FILE'\n# Lets only root reach", "\nclose_metadata /opt", "\nadd_user team-research "]
    places = [text.index(step) for step in steps]
    assert places == sorted(places)


def test_jobs_of_teams_have_a_compile_cache_that_needs_no_credentials(plan_of: PlanOf) -> None:
    start = start_of(plan_of, {**BUCKET, **TEAMS})
    assert (start.node.compile_cache, start.has_bucket) == ("~/neuron-compile-cache", False)
    assert start_of(plan_of, BUCKET).node.compile_cache.startswith("s3://")
