"""``neuron-cluster image build``: deploy the pipeline, run it, and write the AMI into the lock."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, TextIO

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb
from neuron_cluster.cli.deploy import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_cluster.aws.imagebuilder import ImageBuild
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.image_build import Built
    from neuron_cluster.deploy.lock_update import LockFile, LockUpdate
    from neuron_cluster.deploy.progress import StackProgress
    from neuron_cluster.opened_environment import OpenedEnvironment
    from neuron_cluster.protocol.operations import ImageRecipe

EXAMPLES = """  neuron-cluster lock slurm-trn1                 pin the Deep Learning AMI first
  neuron-cluster image build slurm-trn1          build the AMI: half an hour or more
  neuron-cluster deploy slurm-trn1               the nodes start from it
  neuron-cluster image build slurm-trn1 --again  build it anew
  neuron-cluster image build --local slurm-trn1  on the local AWS, at once"""

TEXT = """Build the AMI of Slurm nodes from the Deep Learning AMI that the lock pins, and write
its id into the lock. Deploys the stacks NAME-network and NAME-image, whose
pipeline of EC2 Image Builder runs scripts on an instance in a private subnet.
AWS bills the instance while it builds, the NAT gateway of the network, and the
snapshots of the AMI.

An AMI of the same recipe is used again; a build that runs is followed. Ctrl-C
ends the command, not the build: run it again to follow. `destroy` deletes the
pipeline and keeps the AMIs."""

STATE_SECONDS = 300.0
"""How long no line is printed while the state of a build does not change."""


class BuildTerminal(Terminal, frozen=True):
    """The person at the terminal, for a build."""

    recipe: ImageRecipe

    def announce(self, opened: OpenedEnvironment) -> None:
        recipe = self.recipe
        self.progress(f"Building {recipe.name} {recipe.version} on {self.destination.description}.")
        self.progress(f"  from {recipe.parent} ({recipe.parent_kind}), on an {recipe.instance_type}")
        for line in recipe.contents:
            self.progress(f"  with {line}")
        for line in recipe.missing:
            self.progress(f"  without {line}")
        self.progress(f"Stacks: {', '.join(opened.plan.stack_name(stack_key) for stack_key in opened.plan.stacks)}.")


def add_to(actions: Verbs) -> None:
    parser = add_verb(
        actions, "build", run, summary="build it and write its id into the lock", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    parser.add_argument("--local", action="store_true", help="on the local AWS; starts one if none runs")
    parser.add_argument("--again", action="store_true", help="build it although an AMI of the same recipe exists")
    parser.add_argument("--yes", action="store_true", help="do not prompt (with --local there is no prompt)")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.patient_stream import outliving_the_reader

    with outliving_the_reader("image build"):
        return _build(options)


def _build(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import talk_stream
    from neuron_cluster.deploy.image_build import write_built_image
    from neuron_cluster.deploy.image_preparation import buildable_recipe, image_builder
    from neuron_cluster.deploy.lock_update import lock_file

    builder, stream = image_builder(), talk_stream(options.format)
    opened = open_environment(options, stack_key=builder.stack_key)
    file = lock_file(opened, is_local=options.local)
    recipe = buildable_recipe(opened, builder, file.command)
    with opened_destination(opened, stream, local=options.local) as destination:
        ended = _deploy(opened, recipe, destination, stream, asks=not options.yes)
        built = _run_pipeline(opened, recipe, destination, stream, again=options.again)
        update = write_built_image(opened, builder, built, file)
        _show(options, opened, file, built, update, ended)
    return 0


def _deploy(
    opened: OpenedEnvironment, recipe: ImageRecipe, destination: Destination, stream: TextIO, *, asks: bool
) -> list[StackProgress]:
    """Deploys the network and the pipeline; how each stack ended."""
    from neuron_cluster.cli.stack_work import with_progress
    from neuron_cluster.deploy.deployment import Deployment
    from neuron_cluster.deploy.image_preparation import prepare_image_build
    from neuron_cluster.deploy.only_command import only_command
    from neuron_cluster.deploy.preparation import accepted_changes
    from neuron_cluster.deploy.synthesis import private_assembly

    plan, root = opened.plan, opened.project.root
    terminal = BuildTerminal(destination, stream, plan.name, asks, recipe)
    with only_command(root, plan, destination, "image build"):
        prepare_image_build(opened, recipe, destination, terminal)
        with private_assembly(root, opened.name_for_app, opened.locks, plan.stack_key) as assembly:
            opened.require_unedited()
            deployment = Deployment(plan, root, assembly, destination)
            changes = accepted_changes(opened, deployment, terminal)
            names = [plan.stack_name(stack_key) for stack_key in plan.stacks]
            return with_progress(lambda show: deployment.run(show, changes.first_update), destination, names, stream)


def _run_pipeline(
    opened: OpenedEnvironment, recipe: ImageRecipe, destination: Destination, stream: TextIO, *, again: bool
) -> Built:
    """The AMI, of this run or of an earlier one. What stops this before its end prints how to follow or cancel it."""
    from neuron_cluster.deploy.image_build import (
        ImageBuildError,
        await_build,
        cancel_command,
        log_command,
        started_build,
    )
    from neuron_cluster.errors import ToolkitError

    built = started_build(opened.plan, recipe, destination, again=again)
    if built.is_new:
        print(f"Output of its steps: {log_command(destination, recipe)}", file=stream, flush=True)
    try:
        return await_build(built, recipe, destination, _state_lines(stream))
    except ImageBuildError:
        raise
    except (KeyboardInterrupt, ToolkitError):
        where = destination.description
        print(f"The build continues on {where}; run the same command again to follow it.", file=sys.stderr)
        print(f"To cancel it: {cancel_command(destination, built.build)}", file=sys.stderr, flush=True)
        raise


def _state_lines(stream: TextIO) -> Callable[[ImageBuild, float], None]:
    """Prints the state of a build when it changes, and from time to time."""
    from neuron_cluster.cli.progress_display import duration

    last: list[tuple[str, float]] = []

    def show(build: ImageBuild, seconds: float) -> None:
        if not last or last[-1][0] != build.status or seconds - last[-1][1] > STATE_SECONDS:
            last.append((build.status, seconds))
            print(f"{build.arn.partition('/')[2]}: {build.status}, {duration(seconds)}", file=stream, flush=True)

    return show


def _show(
    options: argparse.Namespace,
    opened: OpenedEnvironment,
    file: LockFile,
    built: Built,
    update: LockUpdate,
    ended: list[StackProgress],
) -> None:
    from neuron_cluster.cli.stack_work import result_line
    from neuron_cluster.cli.terminal import print_json, print_line
    from neuron_cluster.lock.diff import change_as_data

    build = built.build
    if options.format == "json":
        image = {
            "image_id": build.image_id,
            "build": build.arn,
            "recipe_version": build.version,
            "is_new": built.is_new,
        }
        lock = {"lock": str(file.path), "is_written": update.is_written}
        stacks = [{"name": stack.name, "status": stack.status, "changed": stack.has_changed} for stack in ended]
        changes = [change_as_data(change) for change in update.changes]
        findings = [finding.as_dict() for finding in opened.findings]
        print_json({"image": image, **lock, "changes": changes, "stacks": stacks, "findings": findings})
        return
    print("\n" + "\n".join(map(result_line, ended)))
    print(f"\n{build.image_id}: {'built' if built.is_new else 'of an earlier build of the same recipe'}")
    print_line(f"{file.display_name}: {'written' if update.is_written else 'unchanged, it has this AMI'}")
    local = " --local" if options.local else ""
    print_line(f"`neuron-cluster deploy{local} {options.environment}` starts the nodes from it.")
