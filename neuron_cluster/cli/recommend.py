"""``neuron-cluster recommend``: instances that fit a model."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.checkpoint_arguments import a_number, a_parameter_count, a_positive
from neuron_cluster.protocol.option import a_count

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.sizing.model_sizes import ModelSizes
    from neuron_cluster.sizing.request import Fixed, SizingRequest

TEXT = """Show which instance types, counts and divisions (TP, PP, CP, EP, DP) fit a
model, the cheapest first, with each term of the memory of a core, and why the
nearest others do not fit. The model is its config.json, or its number of
parameters alone. Needs no environment, no account and no network.

TP divides the matrices of each layer, PP the layers, CP the tokens of a
sequence, EP the experts; DP counts copies of the model. Exit status 1: nothing
fits."""

EXAMPLES = """  neuron-cluster recommend --model llama-3.1-8b/config.json \\
    --sequence-length 4096 --batch 32
  neuron-cluster recommend --parameters 70B --task train \\
    --sequence-length 8192 --batch 1024 --region us-east-2
  neuron-cluster recommend --model llama-3.1-70b --task finetune --lora-rank 16
  neuron-cluster recommend --parameters 32B --instance-type trn2.3xlarge \\
    --purchase-option capacity_block --tensor-parallel 4 --format json"""

LONGEST = 2**24
"""Tokens. The longest published sequences have a million."""
MOST_SHOWN = 100
USUAL_LENGTH, USUAL_RANK, USUAL_SHOWN = 8192, 16, 5
TASKS = ("train", "finetune", "serve", "embed")
PURCHASE_OPTIONS = ("on_demand", "spot", "capacity_block")


def add_to(verbs: Verbs) -> None:
    summary = "show which instances fit a model"
    parser = add_verb(verbs, "recommend", run, summary=summary, text=TEXT, examples=EXAMPLES)
    model = parser.add_mutually_exclusive_group(required=True)
    model.add_argument(
        "--model", metavar="FILE", help="config.json of the model, or a model of the catalog: llama-3.1-70b"
    )
    model.add_argument("--parameters", metavar="N", type=a_parameter_count, help="instead: 70B, 8e9 (dense model)")
    parser.add_argument("--task", choices=TASKS, default="serve", help="default: serve. finetune: with LoRA adapters")
    parser.add_argument(
        "--sequence-length",
        metavar="N",
        type=a_length,
        help=f"tokens of a prompt and its answer, or of a training sequence (default: {USUAL_LENGTH})",
    )
    parser.add_argument(
        "--batch",
        metavar="N",
        type=a_number,
        help="sequences at once on each copy of the model (default: 1); with --task train the global batch",
    )
    _add_format(parser.add_argument_group("what is in memory"))
    _add_machines(parser.add_argument_group("instances"))
    _add_division(parser.add_argument_group("division that is compared (default: all that are possible)"))
    parser.set_defaults(usage_error=parser.error)
    parser.add_argument(
        "--top", metavar="N", type=a_number_of_rows, default=USUAL_SHOWN, help=f"rows (default: {USUAL_SHOWN})"
    )


def _add_format(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--dtype",
        metavar="NAME",
        help="of the weights: bf16, fp16, fp32, fp8, int8, mxfp8, mxfp4 (default: of the file)",
    )
    group.add_argument(
        "--kv-dtype", metavar="NAME", default="bf16", help="of the KV cache: bf16 (default), fp16, fp32, fp8"
    )
    group.add_argument("--micro-batch", metavar="N", type=a_number, default=1, help="of a training (default: 1)")
    group.add_argument("--lora-rank", metavar="N", type=a_number, help=f"with --task finetune (default: {USUAL_RANK})")
    group.add_argument(
        "--pre-sharded",
        action="store_true",
        help="the weights are already divided by core, so the host need not hold the whole model",
    )


def _add_machines(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--instance-type", metavar="TYPE", action="append", default=[], help="only this one; may be repeated"
    )
    group.add_argument(
        "--nodes",
        metavar="N",
        type=a_number,
        help="number of instances (default: serve 1; train 1, 2, 4 … 64, or more where none fits)",
    )
    group.add_argument("--region", metavar="NAME", help="Region of the prices (default: the cheapest known)")
    group.add_argument(
        "--purchase-option",
        metavar="NAME",
        choices=PURCHASE_OPTIONS,
        default="on_demand",
        help=f"{', '.join(PURCHASE_OPTIONS)} (default: on_demand)",
    )
    group.add_argument("--max-hourly", metavar="USD", type=a_positive, help="highest price of all instances an hour")


def _add_division(group: argparse._ArgumentGroup) -> None:
    for name in ("tensor", "pipeline", "context", "expert", "data"):
        group.add_argument(f"--{name}-parallel", metavar="N", type=a_number, help=f"{name[0].upper()}P, such as 8")
    group.add_argument(
        "--attention-data-parallel", metavar="N", type=a_number, help="of serving: groups of cores of one copy"
    )
    group.add_argument("--logical-nc-config", metavar="N", type=a_number, help="LNC: 1 or 2 (default: both)")


def a_length(text: str) -> int:
    """Raises ``ArgumentTypeError``."""
    length = a_count(text[:100])
    if length > LONGEST:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is too long: expected {LONGEST:,} tokens at most")
    return length


def a_number_of_rows(text: str) -> int:
    """Raises ``ArgumentTypeError``."""
    rows = a_count(text[:100])
    if rows > MOST_SHOWN:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is too many: expected {MOST_SHOWN} at most")
    return rows


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.terminal import print_json, print_paragraph, print_tables
    from neuron_cluster.report.recommend_page import (
        next_step,
        recommendation_as_data,
        recommendation_notes,
        recommendation_tables,
    )
    from neuron_cluster.sizing.find_model import find_model
    from neuron_cluster.sizing.recommend import recommend

    catalog = load_catalog()
    model = find_model(options.model, options.parameters, catalog)
    found = recommend(model, _request(options, model, catalog), catalog)
    if options.format == "json":
        print_json(recommendation_as_data(found, options.top, catalog))
    else:
        print_tables(recommendation_tables(found, options.top))
        for note in recommendation_notes(found, options.top, catalog):
            print_paragraph(note, sys.stdout)
        print("", *next_step(found, catalog), sep="\n")
    return 0 if found.choices else 1


def _request(options: argparse.Namespace, model: ModelSizes, catalog: Catalog) -> SizingRequest:
    """Raises ``ToolkitError`` for a name that the catalog does not have, and for an encoder with ``serve``.

    A rank without ``finetune`` is a wrong command line.
    """
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.sizing.known_names import (
        require_cache_format,
        require_region,
        require_types,
        require_weight_format,
    )
    from neuron_cluster.sizing.request import SizingRequest, Task

    require_weight_format(options.dtype, catalog)
    require_cache_format(options.kv_dtype, catalog)
    require_types(options.instance_type, catalog)
    require_region(options.region, catalog)
    task = Task(options.task)
    if options.lora_rank is not None and task is not Task.FINETUNE:
        options.usage_error("--lora-rank requires --task finetune: other tasks have no adapters")
    if task is Task.SERVE and model.is_encoder:
        raise ToolkitError(
            f"{model.name} is an encoder ({model.family}): it returns embeddings and generates no text",
            hint="add --task embed",
        )
    return SizingRequest(
        task=task,
        length=options.sequence_length or min(USUAL_LENGTH, model.longest or USUAL_LENGTH),
        batch=options.batch or (None if task is Task.TRAIN else 1),
        micro_batch=options.micro_batch,
        weight_format=options.dtype,
        cache_format=options.kv_dtype,
        rank=options.lora_rank or USUAL_RANK,
        has_divided_weights=options.pre_sharded,
        instance_types=tuple(options.instance_type),
        region=options.region,
        purchase_option=options.purchase_option,
        max_usd_hour=options.max_hourly,
        fixed=_fixed(options),
    )


def _fixed(options: argparse.Namespace) -> Fixed:
    from neuron_cluster.sizing.request import Fixed

    return Fixed(
        tensor=options.tensor_parallel,
        pipeline=options.pipeline_parallel,
        context=options.context_parallel,
        expert=options.expert_parallel,
        data=options.data_parallel,
        attention_data=options.attention_data_parallel,
        nodes=options.nodes,
        logical_nc_config=options.logical_nc_config,
    )
