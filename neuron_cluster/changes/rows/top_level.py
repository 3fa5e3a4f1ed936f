"""Rows of the keys at the top of the file."""

from __future__ import annotations

from neuron_cluster.config.change_row import ChangeRow, FieldEffect
from neuron_cluster.findings.commands import Command

ELSEWHERE = (
    "To move: undo the edit, copy the file under another name, write that name and the other place into the copy, "
    f"deploy the copy, copy the data, then `{Command.DESTROY_WITH_DATA}`, which removes the first "
    f"one. To build a second environment from the edited file: `{Command.DEPLOY_NEW}`."
)

ENVIRONMENT_ROWS = (
    ChangeRow("schema", FieldEffect.NONE, "Only the format of the file."),
    ChangeRow("extends", FieldEffect.NONE, "Only where values are written; those that change have rows of their own."),
    ChangeRow(
        "name",
        FieldEffect.STATE,
        "Every stack, and the cluster, would get another name: a second environment, while the first one stays with "
        "its data and has no file any longer. A network alone has no data.",
        ELSEWHERE,
        depends=True,
    ),
    ChangeRow(
        "account",
        FieldEffect.STATE,
        "A second environment in the other account; the first one stays with its data and has no file any longer.",
        ELSEWHERE,
        seen_in_templates=False,
    ),
    ChangeRow(
        "region",
        FieldEffect.STATE,
        "A second environment in the other Region; the first one stays with its data and has no file any longer.",
        ELSEWHERE,
        seen_in_templates=False,
    ),
    ChangeRow(
        "lifecycle",
        FieldEffect.IN_PLACE,
        "Termination protection of the stacks that hold state is turned on or off; no resource changes.",
    ),
    ChangeRow(
        "tags",
        FieldEffect.DISPOSABLE,
        "Tags change in place where a resource supports it; launch templates, placement groups and "
        "node groups stay as they are, "
        "unless propagate_at_launch names the key: then nodes are replaced one by one, and workstations.",
        depends=True,
    ),
    ChangeRow(
        "propagate_at_launch",
        FieldEffect.DISPOSABLE,
        "Launch templates change: the nodes of every group are replaced one by one, and workstations are replaced. "
        "Homes are kept.",
        depends=True,
    ),
    ChangeRow("prices", FieldEffect.NONE, "Only what `cost`, `plan` and `report` show; no resource depends on it."),
    ChangeRow("neuron", FieldEffect.NONE, "See its fields.", depends=True),
    ChangeRow("neuron.frameworks", FieldEffect.NONE, "It is checked; no resource depends on it."),
    ChangeRow("neuron.containers", FieldEffect.NONE, "It is checked; your workloads name their own images."),
    ChangeRow(
        "neuron.sdk",
        FieldEffect.NONE,
        "The release that the plan shows and the checks use; what is deployed is pinned by itself.",
    ),
)
