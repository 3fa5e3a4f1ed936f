"""Reads broken and forged locks: `python tests/fuzz/fuzz_locks.py --seed 1 --cases 1000`.

Each must give a lock or findings: no traceback, no control character, within bounded time and memory. A lock whose
bytes were broken is accepted only when it holds the same entries. Each forged AMI that is accepted must be refused by
the comparison that a deploy makes with EC2, played by a local AWS in which a stranger owns the AMIs of a tenth of them.
"""

from __future__ import annotations

import argparse
import functools
import sys
import tempfile
import traceback
from pathlib import Path
from random import Random
from typing import Any

from limits import bounded, finish
from lock_cases import KIND, WHOLE, lock_case, text_of
from msgspec import structs

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.pinned_images import pinned_image_findings
from neuron_cluster.findings.finding import Location
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.reader import LoadedLock, load_lock
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.pinned_by import PinnedBy

ROOT = Path(__file__).parents[2]
ACCOUNT, STRANGER, REGION = "111122223333", "999999999999", "us-west-2"


@functools.cache
def plan() -> ClusterPlan:
    return check_environment(ROOT / "environments" / "workstation.yaml", with_lock=False).require_plan()


@functools.cache
def original(folder: Path) -> Lock:
    loaded = load(folder / "whole.yaml", text_of(WHOLE, sealed=True))
    assert loaded.lock is not None, loaded.findings
    return loaded.lock


def load(path: Path, content: bytes) -> LoadedLock:
    path.write_bytes(content)
    return load_lock(path, display_name="l.yaml", again="neuron-cluster lock workstation")


def flaw(loaded: LoadedLock, way: str, folder: Path) -> str | None:
    """Returns the fault of the answer; None when there is none."""
    if (loaded.lock is None) != bool(loaded.findings):
        return "a lock beside a finding, or neither"
    for found in loaded.findings:
        if not (found.message and found.hint) or not f"{found.message}{found.hint}{found.location.path}".isprintable():
            return f"finding without message or hint, or with a control character: {found}"
    if way == "bytes" and loaded.lock is not None and loaded.lock != original(folder):
        return "a lock with other entries was accepted under the old checksum"
    return None


class Ec2:
    """EC2 of the local AWS, and the comparison of a deploy with it."""

    def __init__(self, aws: LocalAws) -> None:
        self.stranger = client(LocalTarget(REGION, STRANGER, aws.endpoint), "ec2")
        # A destination of AWS: what the local AWS does not know is then an error, as on AWS.
        self.destination = _AsAws(LocalTarget(REGION, ACCOUNT, aws.endpoint), ACCOUNT)

    def strangers_image(self) -> str:
        image: str = self.stranger.register_image(Name="Deep Learning AMI Neuron", RootDeviceName="/dev/sda1")[
            "ImageId"
        ]
        self.stranger.modify_image_attribute(ImageId=image, LaunchPermission={"Add": [{"Group": "all"}]})
        return image

    def refuses(self, lock: Lock) -> bool:
        workstations = tuple(
            structs.replace(each, image=structs.replace(each.image, image=lock.dlamis[each.dlami].image_id))
            for each in plan().workstations
        )
        pinned_by = PinnedBy(lock, "l.yaml", "neuron-cluster lock workstation", lambda _: Location("e.yaml"))
        forged = structs.replace(plan(), workstations=workstations)
        return any(found.id.startswith("E") for found in pinned_image_findings(forged, self.destination, pinned_by))


class _AsAws(Destination, frozen=True):
    @property
    def is_local(self) -> bool:
        return False


def judge(random: Random, folder: Path, ec2: Ec2) -> str | None:
    content, way = lock_case(random)
    try:
        with bounded():
            loaded = load(folder / "l.yaml", content)
            found = flaw(loaded, way, folder)
        if found or loaded.lock is None or way != "forged":
            return found
        return _accepted(loaded.lock, random, folder, ec2)
    except Exception:  # noqa: BLE001 - whatever it raises is the failure
        return traceback.format_exc(limit=-3)


def _accepted(lock: Lock, random: Random, folder: Path, ec2: Ec2) -> str | None:
    """None unless a forged Deep Learning AMI passes the comparison of a deploy."""
    if lock.dlamis == original(folder).dlamis:
        return None
    if random.random() < 0.1:
        theirs = {KIND: structs.replace(lock.dlamis[KIND], image_id=ec2.strangers_image())}
        lock = structs.replace(lock, dlamis=theirs)
    return None if ec2.refuses(lock) else f"a deploy takes the forged {lock.dlamis[KIND].image_id}"


def failures_of(seed: int, cases: int) -> list[str]:
    """Returns what is wrong with each answer, after the number of its case."""
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as made, product_local_aws() as aws:
        folder, ec2 = Path(made), Ec2(aws)
        plan()
        original(folder)
        for case in range(cases):
            name = f"{seed}-{case}"
            found = judge(Random(name), folder, ec2)  # noqa: S311 - to be repeated
            failures += [f"case {name}: {found}"] if found else []
        for account in (ACCOUNT, STRANGER):
            close_clients(LocalTarget(REGION, account, aws.endpoint))
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=1000)
    options: Any = parser.parse_args()
    return finish(options.cases, failures_of(options.seed, options.cases))


if __name__ == "__main__":
    sys.exit(main())
