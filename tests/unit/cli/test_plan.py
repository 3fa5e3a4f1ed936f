"""`plan` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import PROJECT, Command


def test_json_holds_the_plan_the_price_and_the_findings(command: Command) -> None:
    ran = command("plan", "train-trn1", "--format", "json")
    assert ran.status == 0
    assert set(ran.document) == {
        "plan", "stacks", "addresses", "price", "control_plane_price", "checkpoints", "storage_cost",
        "existing_policies", "findings",
    }  # fmt: skip
    assert [subnet["left"] for subnet in ran.document["addresses"]] == [3927, 7932, 1010, 1011]


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_the_summary_has_the_same_words_at_every_width(
    columns: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    lines = command("plan", "train-trn1").out.splitlines()[:10]
    monkeypatch.setenv("COLUMNS", columns)
    words = command("plan", "train-trn1").out.partition("\n\n")[0].split()
    assert words == " ".join(lines).split()


def test_the_summary_counts_findings_and_names_the_commands_that_show_the_rest(command: Command) -> None:
    ran = command("plan", "train-trn1")
    assert "\nfindings  2 warnings (3 places); W3011: " in ran.out
    assert "`neuron-cluster plan train-trn1 --details`" in " ".join(ran.out.split())
    assert ran.err == "2 warnings (3 places); `neuron-cluster validate` shows them.\n"


def test_the_summary_shows_a_warning_about_what_is_built_in_full(command: Command, tmp_path: Path) -> None:
    text = (PROJECT / "environments" / "train-trn2.yaml").read_text(encoding="utf-8")
    reservation, none_running = "reservation_id: cr-0123456789abcdef0", "{min: 0, desired: 0, max: 4}"
    assert (text.count(reservation), text.count(none_running)) == (1, 1)
    window = '\n        starts: "2026-12-01T11:30:00Z"\n        ends: "2026-12-08T11:30:00Z"'
    edited = text.replace(reservation, reservation + window).replace(none_running, "{min: 0, desired: 4, max: 4}")
    file = tmp_path / "train-trn2.yaml"
    file.write_text(edited)
    ran = command("plan", str(file), "--as-of", "2026-11-21")
    assert "; W3042: " in " ".join(ran.out.split())
    assert "  W3042  " in ran.err
    assert "  W6002  " not in ran.err


def test_groups_of_one_type_are_one_row_where_there_are_many(command: Command) -> None:
    text = " ".join(command("plan", "benchmarks/thousand_nodes.yaml").out.split())
    assert "12 trn2.48xlarge 0/1,000/1,000 16,000 on not not" in text
    assert "trn2-1, trn2-2 and 10 more (the catalog has no price" in text


def test_details_and_scale_exclude_each_other(command: Command) -> None:
    ran = command("plan", "train-trn1", "--details", "--scale")
    assert ran.status == 2
    assert "not allowed with argument" in ran.err


def test_details_fit_80_columns_and_explain_the_mark_and_the_price(command: Command) -> None:
    ran = command("plan", "train-trn1", "--details")
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "* not written in the file" in ran.out
    assert "reference price, dated" in " ".join(ran.out.split())
    assert "W6002" in ran.err


def test_the_small_environment_has_a_plan_without_storage(command: Command) -> None:
    ran = command("plan", "dev-inf2")
    assert ran.status == 0
    assert "\nstorage   none\n" in ran.out


def test_text_shows_the_addresses_of_each_subnet_and_both_bounds_of_pods(command: Command) -> None:
    text = " ".join(command("plan", "train-trn1", "--details").out.split())
    assert "usw2-az4 private 8,187 4,240 6 8 5 1 3,927 +112" in text
    assert "245 planned *, 245 at most" in text


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
