"""The most that a training job costs, by prices of the file: no source has those of SageMaker's types."""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.findings.text import counted
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import TrainingJobPlan

HOUR = 3600


def price_name(job: TrainingJobPlan) -> str:
    """The key of ``prices`` that has the price of an instance for an hour."""
    return f"spot-{job.instance_type}" if job.purchase.max_wait_seconds is not None else job.instance_type


def most_usd(job: TrainingJobPlan, prices: Mapping[str, float]) -> float | None:
    """USD of all instances until the time limit; 0 in a training plan, which is paid. None without a price."""
    if job.purchase.plan_arn is not None:
        return 0.0
    price = prices.get(price_name(job))
    return None if price is None else round(job.instances * job.max_runtime_seconds / HOUR * price, 2)


def cost_note(job: TrainingJobPlan, prices: Mapping[str, float]) -> str:
    """A sentence on what a submission costs."""
    hours = job.max_runtime_seconds // HOUR
    size = f"{job.instances} x {job.instance_type} for at most {counted(hours, 'hour')}"
    if job.purchase.plan_arn is not None:
        return f"{size}, in the training plan {job.purchase.plan_name}, which is paid up front."
    most, name = most_usd(job, prices), price_name(job)
    if most is None:
        return f"{size}; the price is not known: `prices` of the file has no {name}."
    warm = f"; then {job.keep_alive_seconds // 60} minutes of the warm pool" if job.keep_alive_seconds else ""
    return f"{size}: at most {most:,.2f} USD{warm} (`prices` of the file: {prices[name]:,.2f} USD an hour)."
