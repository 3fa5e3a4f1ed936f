"""The arguments of ``neuron-cluster storage`` that describe checkpoints and the nodes that save them."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from neuron_cluster.protocol.option import a_count

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.checkpoints.request import CheckpointRequest
    from neuron_cluster.checkpoints.spec import BucketRetention, CheckpointSpec

FEWEST = 100_000
"""Parameters: fewer are a number without its unit. The smallest published models have some millions."""
MOST = 1e15
LARGEST_COUNT, LARGEST_PERCENTAGE = 1_000_000, 100
"""As in the environment file."""
NODES = ("instance_type", "nodes", "region")
RETENTION = ("noncurrent_days", "expire_days")
DEPLOYMENT_TYPE = "PERSISTENT_2"
"""The type of the file systems that are compared: the default of ``storage.lustre.deployment_type``."""


def add_checkpoint_arguments(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Options are the keys below ``storage.checkpoints``, and the nodes. ``required``: nothing else can give them."""
    size = parser.add_mutually_exclusive_group(required=required)
    size.add_argument("--parameters", metavar="N", type=a_parameter_count, help="parameters of the model: 70.6B, 8e9")
    size.add_argument("--model", metavar="NAME", help="instead: a model of the catalog, such as llama-3.1-70b")
    nodes = parser.add_argument_group("nodes that save")
    nodes.add_argument("--instance-type", metavar="TYPE", required=required, help="such as trn1.32xlarge")
    nodes.add_argument("--nodes", metavar="N", type=a_number, required=required, help="number of instances")
    nodes.add_argument("--region", metavar="NAME", required=required, help="Region of the prices, such as us-east-2")
    _add_format(parser.add_argument_group("what is saved"), required=required)
    _add_times(parser.add_argument_group("when, and what is kept"))


def _add_format(group: argparse._ArgumentGroup, *, required: bool) -> None:
    group.add_argument("--framework", metavar="NAME", required=required, help="nxd_xser, nxd, dcp or orbax")
    group.add_argument("--optimizer", metavar="NAME", help="adamw (default), adamw_8bit, none")
    group.add_argument("--precision", metavar="NAME", help="fp32 (default), bf16, bf16_with_fp32_weights")
    group.add_argument(
        "--bytes-per-parameter",
        metavar="N",
        type=a_positive,
        help="instead of both: bytes of a checkpoint for each parameter, with the state of the optimizer",
    )
    group.add_argument("--tensor-parallel", metavar="N", type=a_number, help="needed by nxd and nxd_xser")
    group.add_argument("--pipeline-parallel", metavar="N", type=a_number, help="default: 1")
    group.add_argument(
        "--tensors-per-rank", metavar="N", type=a_number, help="tensors of weights of a rank; needed by nxd_xser"
    )


def _add_times(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--mode", choices=("sync", "async"), help="default: sync")
    group.add_argument(
        "--interval-minutes", metavar="N", type=a_positive, help="default: the interval with the least loss"
    )
    group.add_argument(
        "--stall-seconds",
        metavar="N",
        type=a_positive,
        help="how long the training may wait for one save; with --mode async the copy to host memory (default: 60)",
    )
    group.add_argument("--keep-latest", metavar="N", type=a_number, help="checkpoints on the file system (default: 3)")
    group.add_argument("--golden-every", metavar="N", type=a_number, help="keep one of N checkpoints in golden/")
    group.add_argument(
        "--golden-days", metavar="N", type=a_number, help="days after which those expire (default: never)"
    )
    group.add_argument(
        "--noncurrent-days",
        metavar="N",
        type=a_number,
        help="mirror to a versioned bucket that keeps deleted checkpoints for N days (default: no bucket)",
    )
    group.add_argument(
        "--expire-days",
        metavar="N",
        type=a_number,
        help="archive in a bucket that deletes each checkpoint N days after its write (and then keeps it for "
        "--noncurrent-days, default 1)",
    )
    group.add_argument(
        "--failures-percent-per-hour", metavar="P", type=a_percentage, help="of one node (default: of the catalog)"
    )
    group.add_argument(
        "--restart-minutes",
        metavar="N",
        type=a_positive,
        help="from a failure until the programs run again (default: a new instance that pulls the image)",
    )


def given_options(options: argparse.Namespace) -> list[str]:
    """Returns the options of ``add_checkpoint_arguments`` that the command line has."""
    from neuron_cluster.checkpoints.request import CheckpointRequest

    names = (*CheckpointRequest.__struct_fields__, *NODES, *RETENTION)
    return [f"--{name.replace('_', '-')}" for name in names if getattr(options, name) is not None]


def missing_options(options: argparse.Namespace) -> list[str]:
    """Returns the missing options without which nothing can be computed."""
    size = [] if options.parameters is not None or options.model is not None else ["--parameters or --model"]
    missing = [f"--{name.replace('_', '-')}" for name in (*NODES, "framework") if getattr(options, name) is None]
    return size + missing


def spec_of(options: argparse.Namespace, catalog: Catalog) -> CheckpointSpec:
    """Raises ToolkitError for a value that the catalog does not know, or that contradicts another one."""
    from neuron_cluster.checkpoints.build_spec import build_spec, writers_of
    from neuron_cluster.checkpoints.request import invalid_fields
    from neuron_cluster.errors import ToolkitError

    row = catalog.instance_types.get(options.instance_type)
    if row is None:
        near = ", ".join(catalog.instance_types.similar(options.instance_type))
        raise ToolkitError(
            f"--instance-type: the catalog has no {options.instance_type}",
            hint=f"similar: {near}" if near else "`neuron-cluster catalog instances` lists them",
        )
    if row.neuron_devices == 0:
        raise ToolkitError(f"--instance-type: {row.name} has no Neuron devices", hint="name the type that saves")
    chip = catalog.chips.get(row.chip) if row.chip is not None else None
    if chip is not None and not chip.trains:
        raise ToolkitError(
            f"--instance-type: {row.name} has {chip.title}, which is made for inference and saves no checkpoints",
            hint="name a type of Trainium",
        )
    if catalog.regions.get(options.region) is None:
        near = ", ".join(catalog.regions.similar(options.region))
        raise ToolkitError(
            f"--region: the catalog has no {options.region}",
            hint=f"similar: {near}" if near else "`neuron-cluster catalog regions` lists them",
        )
    request, writers = request_of(options), writers_of(row, options.nodes)
    for invalid in invalid_fields(request, writers, catalog):
        raise ToolkitError(f"--{invalid.field.replace('_', '-')}: {invalid.message}", hint=invalid.hint)
    return build_spec(request, writers, _retention(options), catalog)


def _retention(options: argparse.Namespace) -> BucketRetention | None:
    from neuron_cluster.checkpoints.spec import BucketRetention

    if options.expire_days is None and options.noncurrent_days is None:
        return None
    return BucketRetention(options.expire_days, options.noncurrent_days or 1)


def request_of(options: argparse.Namespace) -> CheckpointRequest:
    from neuron_cluster.checkpoints.request import CheckpointRequest
    from neuron_cluster.checkpoints.spec import SaveMode

    names = CheckpointRequest.__struct_fields__
    given = {name: value for name in names if (value := getattr(options, name)) is not None}
    return CheckpointRequest(**given | {"mode": SaveMode(given.get("mode", SaveMode.SYNC))})


def a_parameter_count(text: str) -> float:
    """``70.6B``, ``8e9``, ``8000000000``. Raises ``ArgumentTypeError``."""
    from neuron_cluster.checkpoints.request import parameter_count

    try:
        count = parameter_count(text)
    except ValueError:
        count = 0.0
    if not 1 <= count <= MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of parameters: expected such as 70.6B or 8e9")
    if count < FEWEST:
        raise argparse.ArgumentTypeError(f"{text!r} is too few parameters: give the unit, such as {text}B or {text}M")
    return count


def a_positive(text: str) -> float:
    """A number above 0. Raises ``ArgumentTypeError``."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not (math.isfinite(number) and 0 < number <= MOST):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return number


def a_number(text: str) -> int:
    """A count that the environment file accepts, too. Raises ``ArgumentTypeError``."""
    count = a_count(text[:100])
    if count > LARGEST_COUNT:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is too many: expected {LARGEST_COUNT:,} at most")
    return count


def a_percentage(text: str) -> float:
    """A number above 0, at most 100. Raises ``ArgumentTypeError``."""
    number = a_positive(text)
    if number > LARGEST_PERCENTAGE:
        raise argparse.ArgumentTypeError(f"{text!r} is more than 100 percent")
    return number
