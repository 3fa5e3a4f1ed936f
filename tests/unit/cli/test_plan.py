"""`plan` on the command line."""

from __future__ import annotations

from .conftest import Command


def test_json_holds_the_plan_the_price_and_the_findings(command: Command) -> None:
    ran = command("plan", "train-trn1", "--format", "json")
    assert ran.status == 0
    assert set(ran.document) == {
        "plan", "stacks", "addresses", "price", "control_plane_price", "checkpoints", "storage_cost",
        "existing_policies", "findings",
    }  # fmt: skip
    assert [subnet["left"] for subnet in ran.document["addresses"]] == [3927, 7932, 1010, 1011]


def test_text_fits_80_columns_and_explains_the_mark_and_the_price(command: Command) -> None:
    ran = command("plan", "train-trn1")
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "* not written in the file" in ran.out
    assert "reference price, dated" in " ".join(ran.out.split())
    assert "W6002" in ran.err


def test_the_small_environment_has_a_plan_without_storage(command: Command) -> None:
    ran = command("plan", "dev-inf2")
    assert ran.status == 0
    assert "dev-inf2-storage" not in ran.out


def test_text_shows_the_addresses_of_each_subnet_and_both_bounds_of_pods(command: Command) -> None:
    words = " ".join(command("plan", "train-trn1").out.split())
    assert "usw2-az4 private 8,187 4,240 6 8 5 1 3,927 +112" in words
    assert "245 planned *; at most" in words


def test_scale_lists_the_limits_the_closest_first(command: Command) -> None:
    ran = command("plan", "train-trn1", "--scale")
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= 110, "sources are not broken, tables are"
    assert ran.out.index("security_groups_per_interface") < ran.out.index("nodes_per_managed_node_group")
    assert "train-trn1-network" not in ran.out


def test_scale_as_json_holds_limits_and_findings_alone(command: Command) -> None:
    ran = command("plan", "train-trn1", "--scale", "--format", "json")
    assert set(ran.document) == {"limits", "findings"}
    shares = [row["share"] for row in ran.document["limits"]]
    assert shares == sorted(shares, reverse=True)


def test_a_thousand_nodes_are_planned_with_their_quotas_named(command: Command) -> None:
    ran = command("plan", "benchmarks/thousand_nodes.yaml", "--scale", "--format", "json")
    assert ran.status == 0
    beyond = {row["name"] for row in ran.document["limits"] if row["share"] > 1}
    assert beyond == {"ebs_gp3_storage_per_region", "eks_nodes_before_planning", "network_interfaces_per_region"}
    assert [f["id"] for f in ran.document["findings"] if f["severity"] == "error"] == []
