"""The jobs of ``scripts/jobs``; what each reads is in the comment at its head."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.schedulers.slurm.jobs.job import Job

FOLDER = Path(__file__).parents[1] / "scripts" / "jobs"
CHECKPOINTS = "CHECKPOINT_DIRECTORY"
COMPILE_CACHE = "NEURON_COMPILE_CACHE_URL"
VIRTUAL_ENVIRONMENT = "VIRTUAL_ENVIRONMENT"
DIRECTIVE = "#SBATCH "

JOBS = (
    Job(
        name="check-collectives",
        description="measures collectives between nodes with nccom-test",
        arguments="[--minimums FILE] [OPERATION...]",
        needs_arguments=False,
        variables=(),
        frameworks=(),
        has_several_nodes=True,
    ),
    Job(
        name="serve-vllm",
        description="serves a model with vLLM on one node",
        arguments="MODEL_FOLDER [OPTION...]",
        needs_arguments=True,
        variables=(),
        frameworks=("vllm", "vllm_nxd"),
        has_several_nodes=False,
    ),
    Job(
        name="train-jax",
        description="trains with JAX, a process on each node",
        arguments="TRAINER.py [ARGUMENT...]",
        needs_arguments=True,
        variables=(CHECKPOINTS,),
        frameworks=("jax",),
        has_several_nodes=True,
    ),
    Job(
        name="train-torchrun",
        description="trains with torchrun, a rank for each NeuronCore",
        arguments="TRAINER.py [ARGUMENT...]",
        needs_arguments=True,
        variables=(CHECKPOINTS,),
        frameworks=("torch_neuronx_training", "torchtitan", "torch_neuron_native"),
        has_several_nodes=True,
    ),
    Job(
        name="warm-compile-cache",
        description="compiles the graphs of a model into the compile cache",
        arguments="GRAPHS.json",
        needs_arguments=True,
        variables=(COMPILE_CACHE,),
        frameworks=("vllm", "jax", "torch_neuronx_training", "torch_neuron_native"),
        has_several_nodes=False,
        fills_compile_cache=True,
    ),
)
"""All jobs of the toolkit, in the order of their names."""


def bundled_script(job: Job) -> str:
    """Returns the script of a job without options of an environment."""
    return (FOLDER / script_name(job)).read_text(encoding="utf-8")


def bundled_options(job: Job) -> dict[str, str]:
    """The options of sbatch in its script: values by name, empty for one without a value."""
    lines = bundled_script(job).splitlines()
    options = (line.removeprefix(DIRECTIVE).partition("=") for line in lines if line.startswith(DIRECTIVE))
    return {name: value for name, _, value in options}


def has_whole_nodes(job: Job) -> bool:
    """Whether no other job is on its nodes, in any queue."""
    return "--exclusive" in bundled_options(job)


def script_name(job: Job) -> str:
    return f"{job.name.replace('-', '_')}.sbatch"
