"""Building an AMI with a pipeline of Image Builder that is deployed, and writing its id into the lock."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec import Struct

from neuron_cluster.aws.imagebuilder import ImageBuild, image_build, pipeline_builds, start_build
from neuron_cluster.aws.images import images_by_id
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.lock_update import LockFile, LockUpdate
from neuron_cluster.errors import ToolkitError
from neuron_cluster.lock.diff import lock_changes
from neuron_cluster.lock.reader import load_lock, require_readable
from neuron_cluster.lock.writer import lock_text, sources_in, write_lock
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.operations import ImageBuilder, ImageRecipe

POLL_SECONDS, LOCAL_POLL_SECONDS = 15.0, 0.1
"""How often the state of a build is read: it takes half an hour on AWS, and ends at once on the local AWS."""


STARTED = "PENDING"
"""State of a build that was started just now, before it is read."""


class ImageBuildError(ToolkitError):
    """A build ended without an AMI."""

    finding_id = "E9562"


class Built(Struct, frozen=True):
    """``is_new`` is false for the AMI of an earlier build of the same recipe."""

    build: ImageBuild
    is_new: bool


def pipeline_arn(plan: ClusterPlan, recipe: ImageRecipe) -> str:
    """Image Builder makes the ARN from the name."""
    return f"arn:{plan.partition}:imagebuilder:{plan.region}:{plan.account}:image-pipeline/{recipe.name}"


def log_command(destination: Destination, recipe: ImageRecipe) -> str:
    """The command that shows what the components have printed."""
    return destination.aws_command("logs filter-log-events", log_group_name=f"/aws/imagebuilder/{recipe.name}")


def cancel_command(destination: Destination, build: ImageBuild) -> str:
    """The command that cancels a build which runs."""
    return destination.aws_command("imagebuilder cancel-image-creation", image_build_version_arn=build.arn)


def started_build(plan: ClusterPlan, recipe: ImageRecipe, destination: Destination, *, again: bool) -> Built:
    """The build of this recipe that runs or has an AMI, else a new one; with ``again`` an AMI is not enough."""
    target, arn = destination.target, pipeline_arn(plan, recipe)
    builds = [each for each in pipeline_builds(target, arn) if each.version == recipe.version]
    running = next((each for each in builds if each.is_running), None)
    if running is not None:
        return Built(running, is_new=True)
    available = [each for each in builds if each.is_available] if not again else []
    existing = images_by_id(target, [each.image_id for each in available])
    found = next((each for each in available if each.image_id in existing), None)
    if found is not None:
        return Built(found, is_new=False)
    started = ImageBuild(start_build(target, arn), recipe.version, STARTED, "", "")
    return Built(started, is_new=True)


def await_build(
    built: Built, recipe: ImageRecipe, destination: Destination, progress: Callable[[ImageBuild, float], None]
) -> Built:
    """Reports each state until the AMI is there. Raises ``ImageBuildError`` when the build ends without one."""
    build, began = built.build, time.monotonic()
    pause = LOCAL_POLL_SECONDS if destination.is_local else POLL_SECONDS
    while build.is_running:
        progress(build, time.monotonic() - began)
        time.sleep(pause)
        build = image_build(destination.target, build.arn)
    if not build.is_available:
        reason = f": {build.reason}" if build.reason else ""
        hint = f"`{log_command(destination, recipe)}` shows the output of its steps; correct it and build again"
        raise ImageBuildError(f"the build {build.arn} is {build.status}{reason}; the lock is unchanged", hint=hint)
    progress(build, time.monotonic() - began)
    return Built(build, built.is_new)


def write_built_image(opened: OpenedEnvironment, builder: ImageBuilder, built: Built, file: LockFile) -> LockUpdate:
    """Writes the AMI into the lock: as it is now, since `lock` may have run during the build, else as it was read."""
    now = load_lock(file.path, display_name=file.display_name, again=file.command).lock
    earlier = now or opened.lock
    lock = builder.locked(earlier, opened.plan, built.build.image_id, opened.catalog)
    sources = sources_in(file.path.read_text(encoding="utf-8")) if now is not None else {}
    sources[builder.lock_part, "image_id"] = f"EC2 Image Builder, {built.build.arn}"
    text = lock_text(lock, sources, file.command)
    require_readable(text, display_name=file.display_name)
    is_written = write_lock(file.path, text)
    return LockUpdate(tuple(lock_changes(earlier, lock)), (), is_written)
