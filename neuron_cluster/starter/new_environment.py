"""The choices of a user for a new environment."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.sizing.model_sizes import ModelSizes
from neuron_cluster.sizing.request import Task
from neuron_cluster.starter.data_file import purposes
from neuron_cluster.starter.machines import Machines, machines_of_template
from neuron_cluster.starter.purchase_options import ON_DEMAND
from neuron_cluster.starter.sizing import SizedModel, count_for_devices, sizes
from neuron_cluster.starter.template import Template

WORDS = {
    "on_demand": "On-Demand",
    "spot": "on Spot",
    "reservation": "in a Capacity Reservation",
    "capacity_block": "in a Capacity Block",
    "ultraserver_block": "in a Capacity Block of UltraServers",
}
"""Purchase options in a sentence."""

VERBS = {Task.FINETUNE: "Fine-tune", Task.EMBED: "Embed texts with"}


class NewEnvironment(Struct, frozen=True, kw_only=True):
    """Without ``model``, ``devices`` and ``purchase_option`` the instances are those of the template.

    ``purpose``: None for the first one of the template. ``max_usd_hour``: of all instances of a model together.
    """

    name: str
    account: str
    region: str
    purpose: str | None = None
    model: ModelSizes | None = None
    devices: int | None = None
    max_usd_hour: float | None = None
    purchase_option: str | None = None
    teams: tuple[str, ...] = ()

    @property
    def has_own_machines(self) -> bool:
        return self.model is not None or self.devices is not None or self.purchase_option is not None


class Proposal(Struct, frozen=True, kw_only=True):
    """Instances for a new environment; ``description`` is the sentence at the beginning of its file."""

    machines: Machines
    description: str


def purpose_of(template: Template, new: NewEnvironment) -> str | None:
    return new.purpose or next(iter(template.row.purposes), None)


def proposals(template: Template, new: NewEnvironment, catalog: Catalog) -> Iterator[Proposal]:
    """Yields the proposals for the environment, the best first. Raises ``ToolkitError`` when there is none."""
    if new.model is None:
        yield _without_model(template, new, catalog)
        return
    task = _task(new.model, purpose_of(template, new))
    wanted = SizedModel(
        model=new.model,
        task=task,
        region=new.region,
        purchase_option=new.purchase_option or ON_DEMAND,
        devices=new.devices,
        max_usd_hour=new.max_usd_hour,
    )
    batch = f", batch {wanted.request.batch}" if wanted.request.batch else ""
    for each in sizes(wanted, catalog):
        machines = each.machines if new.purchase_option is not None else _as_sold(each.machines, task, catalog)
        why = ", as AWS publishes no On-Demand price for the type" if machines != each.machines else ""
        what = f"{VERBS.get(task, task.value.capitalize())} {new.model.name} on {_described(machines)}{why}"
        how = f"{each.division}, {wanted.request.length:,} tokens{batch}"
        yield Proposal(machines=machines, description=f"{what}. Computed for {how}: docs/recommend.md.")


def _as_sold(machines: Machines, task: Task, catalog: Catalog) -> Machines:
    """Returns the machines, reserved if no Region has an On-Demand price. A Capacity Block ends, a service does not."""
    row = catalog.instance_types.get(machines.instance_type)
    if row is None or row.on_demand_usd_hour or "capacity_block" not in (row.purchase_modes or ()):
        return machines
    return structs.replace(machines, purchase_option="capacity_block" if task.is_training else "reservation")


def _task(model: ModelSizes, purpose: str | None) -> Task:
    """An encoder generates no text: served, it embeds."""
    task = Task(purposes()[purpose].task) if purpose is not None else Task.SERVE
    return Task.EMBED if task is Task.SERVE and model.is_encoder else task


def _without_model(template: Template, new: NewEnvironment, catalog: Catalog) -> Proposal:
    machines = machines_of_template(template)
    if new.purchase_option is not None:
        machines = structs.replace(machines, purchase_option=new.purchase_option)
    if new.devices is not None:
        machines = structs.replace(machines, count=count_for_devices(machines.instance_type, new.devices, catalog))
    return Proposal(machines=machines, description=f"{_described(machines)}, from the template {template.name}.")


def _described(machines: Machines) -> str:
    return f"{machines.count} x {machines.instance_type}, {WORDS[machines.purchase_option]}"
