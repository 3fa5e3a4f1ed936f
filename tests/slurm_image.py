"""The stack that `image build` deploys, of slurm-trn1 without an AMI of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.synthesis import cdk_context
from neuron_cluster.lock.model import Lock, LockedImage
from neuron_cluster.lock.paths import lock_path, locks_beside
from neuron_cluster.lock.writer import lock_text, write_lock
from neuron_cluster.pipeline import Checked, check_environment

ROOT = Path(__file__).parents[1]
NAME, STACK_KEY, PARENT = "slurm-trn1", "image", "ami-0abc0abc0abc0abc0"


def checked_without_image(folder: Path, *edits: tuple[str, str], stack_key: str = "") -> Checked:
    """The environment after edits of its text, with a lock that pins the Deep Learning AMI alone."""
    text = (ROOT / "environments" / f"{NAME}.yaml").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines(keepends=True) if not line.strip().startswith("ami_id"))
    written = "".join(lines)
    for old, new in edits:
        assert old in written, old
        written = written.replace(old, new)
    file = folder / f"{NAME}.yaml"
    file.write_text(written, encoding="utf-8")
    lock = Lock(NAME, "111122223333", "us-west-2", None, dlamis={"base_ubuntu_24_04": LockedImage(PARENT)})
    write_lock(lock_path(locks_beside(file), NAME), lock_text(lock, {}, "a test"))
    return check_environment(file, stack_key=stack_key)


def image_app(cdk: Any, folder: Path, outdir: Path) -> Any:
    """The CDK app with the network and the pipeline, not yet synthesized."""
    from stacks.build_stacks import build_stacks

    app = cdk.App(outdir=str(outdir), context=cdk_context(ROOT, NAME, stack_key=STACK_KEY), analytics_reporting=False)
    build_stacks(app, checked_without_image(folder, stack_key=STACK_KEY).require_plan(), load_catalog())
    return app
