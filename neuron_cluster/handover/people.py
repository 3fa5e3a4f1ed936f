"""The people of a team, for its page."""

from __future__ import annotations

from neuron_cluster.pages.document import Section, literal
from neuron_cluster.plan.team import Team
from neuron_cluster.table import Table

NONE = "none"


def people_section(team: Team) -> Section:
    """Returns whom to ask, who pays, and the roles of members and operators."""
    rows = (
        ("contact", literal(team.contact) if team.contact else "not stated: `teams[].contact`"),
        ("cost owner", literal(team.cost_owner) if team.cost_owner else "not stated: `teams[].cost_owner`"),
        ("members (IAM roles)", ", ".join(f"`{role}`" for role in team.principals) or NONE),
        *([("operators (IAM roles)", ", ".join(f"`{each.arn}`" for each in team.operators))] if team.operators else []),
    )
    return Section("People", (Table("Who to ask", ("role", "who"), rows),))
