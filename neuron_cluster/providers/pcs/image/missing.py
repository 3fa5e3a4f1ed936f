"""Message and hint about Slurm nodes without an AMI."""

from neuron_cluster.findings.commands import Command

MISSING = "the Slurm nodes have no AMI: the file has no ami_id, and the lock has no image that was built for it"


def missing_hint(*, is_parent_pinned: bool) -> str:
    """The commands that bring one, and the other way."""
    return f"{build_hint(is_parent_pinned=is_parent_pinned)}; or write the id of your own AMI as ami_id"


def build_hint(*, is_parent_pinned: bool) -> str:
    """The commands that build it. ``is_parent_pinned``: whether the lock has the Deep Learning AMI already."""
    first = "" if is_parent_pinned else f"run `{Command.LOCK}`, which pins the Deep Learning AMI; then "
    return f"{first}run `{Command.IMAGE_BUILD}`"
