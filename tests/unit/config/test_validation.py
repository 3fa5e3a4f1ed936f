"""The shape of an environment: every mistake a finding, all in one run, and what follows from a repair stays quiet."""

from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.document import read_document
from neuron_cluster.config.validation import Validated, validate_tree
from neuron_cluster.pipeline import check_environment

SHIPPED = Path(__file__).parents[3] / "environments" / "train-trn1.yaml"


def shaped(*edits: tuple[str, str]) -> Validated:
    """The shipped environment after replacing texts in it; each must be there."""
    text = SHIPPED.read_text()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    document = read_document(text, "e.yaml")
    return validate_tree(document.tree, document.source)


def the_finding(*edits: tuple[str, str]):
    (finding,) = shaped(*edits).findings
    return finding


def test_the_shipped_environment_has_its_shape():
    assert shaped().findings == []


@pytest.mark.parametrize(
    ("old", "new", "finding_id", "path", "says"),
    [
        ("region: us-west-2", "regoin: us-west-2", "E0010", "regoin", "not a known key"),
        ("  nat: single", "  nat: sinlge", "E0013", "network.nat", "sinlge"),
        ("  cidr: 10.20.0.0/16", "  cidr: 10.20.0.1/16", "E0013", "network.cidr", "host bits"),
        ("  cidr: 10.20.0.0/16", "  cidr: 10.20.0.0/40", "E0013", "network.cidr", "10.20.0.0/40"),
        ("  cidr: 10.20.0.0/16", "  cidr: [10.20.0.0/16]", "E0012", "network.cidr", "a list"),
        ("capacity_gib: 4800", "capacity_gib: 4.8k", "E0013", "storage.lustre.capacity_gib", "whole number"),
        ("capacity_gib: 4800", "capacity_gib: 1_200", "E0013", "storage.lustre.capacity_gib", "1_200"),
        ("capacity_gib: 4800", "capacity_gib: 9" + "9" * 500, "E0013", "storage.lustre.capacity_gib", "…"),
        ("capacity_gib: 4800", "capacity_gib: -1", "E0013", "storage.lustre.capacity_gib", "at least 1"),
        ("prefix: checkpoints", "prefix: ../checkpoints", "E0013", "storage.lustre.sync.prefix", "no part"),
        ("prefix: checkpoints", "prefix: a/../b", "E0013", "storage.lustre.sync.prefix", "no part"),
        ("path: /checkpoints", "path: /a/./b", "E0013", "storage.lustre.sync.file_system_path", "no part"),
        (
            "    mode: async",
            "    mode: async\n    interval_minutes: 0",
            "E0013",
            "storage.checkpoints.interval_minutes",
            "it must be more than 0",
        ),
        ("kind: on_demand", "kind: block", "E0013", "eks.node_groups[1].capacity.kind", "capacity_block"),
        ("kind: on_demand", "kind: capacity_block", "E0011", "eks.node_groups[1].capacity.reservation_id", "missing"),
        ("  sdk: 2.32.0", "  sdk:", "E0012", "neuron.sdk", "no value"),
        ("account: 111122223333", "account: 11112222333", "E0013", "account", "11112222333"),
        ("name: train-trn1", "name: ../x", "E0013", "name", "../x"),
        ("lifecycle: durable", "lifecycle: {}", "E0013", "lifecycle", "ephemeral"),
        ("tags:\n  cost-center: ml-platform", "tags: [a]", "E0012", "tags", "a list"),
        ("count: {min: 0,", "count: {min: -1,", "E0013", "eks.node_groups[1].count.min", "at least 0"),
        ("schema: 1", "schema: 2", "E0014", "schema", "schema 1"),
        ("schema: 1", "schema: one", "E0014", "schema", "one"),
    ],
)
def test_a_mistake_is_one_finding_at_its_place(old: str, new: str, finding_id: str, path: str, says: str):
    findings = shaped((old, new)).findings
    found = [f for f in findings if f.id == finding_id and f.location.path == path]
    assert found, findings
    assert says in found[0].message
    assert found[0].location.line > 0
    assert found[0].hint


def test_a_default_that_follows_from_a_wrong_key_is_no_finding_of_its_own():
    finding = the_finding(("count: {min: 0, desired: 16, max: 16}", "count: {min: -1, max: 16}"))
    assert finding.location.path == "eks.node_groups[1].count.min"


@pytest.mark.parametrize(
    ("written", "said"),
    [("8", "count is 8, not keys and values"), ('"8"', 'count is the text "8", not'), ("true", "count is true, not"),
     ("some", 'count is "some", not'), ("[]", "count is a list, not")],
)  # fmt: skip
def test_a_value_is_shown_as_it_was_written(written: str, said: str):
    count = "count: {min: 0, desired: 16, max: 16}"
    assert said in the_finding((count, f"count: {written}")).message


@pytest.mark.parametrize(
    ("region", "zone", "name"),
    [
        ("us-east-2", "use2-az1", "us-east-2a"),
        ("us-west-2", "usw2-az4", "us-west-2a"),
        ("nowhere", "usw2-az4", "us-west-2a"),
    ],
)
def test_a_zones_name_is_answered_with_ids_of_the_files_own_region(region: str, zone: str, name: str):
    text = SHIPPED.read_text().replace("region: us-west-2", f"region: {region}")
    document = read_document(text.replace("[usw2-az4, usw2-az1]", "[us-east-2a, usw2-az1]"), "e.yaml")
    found = validate_tree(document.tree, document.source, load_catalog().regions.zone_ids).findings
    zones = next(finding for finding in found if finding.location.path == "network.availability_zones[0]")
    assert f"a zone id such as {zone} (a zone's name, {name}, is another place" in zones.message
    assert zones.hint.endswith(f'For example: "{zone}"')
    missing = read_document(text.replace("  availability_zones: [usw2-az4, usw2-az1]\n", ""), "e.yaml")
    hint = validate_tree(missing.tree, missing.source, load_catalog().regions.zone_ids).findings[-1].hint
    assert f"For example: [{zone}, " in hint


def test_the_hint_for_a_zone_of_a_group_is_an_id():
    (finding,) = shaped(("      availability_zone: usw2-az4", "      availability_zone: us-west-2a")).findings
    assert finding.hint.endswith('For example: "usw2-az4"')


@pytest.mark.parametrize("text", ["on_demand", '"on_demand"', "|\n        on_demand"])
def test_a_text_in_place_of_a_union_is_one_finding_however_it_is_written(text: str):
    """The reader keeps a text in quotes as a class of its own, in which a union must not look for its keys."""
    finding = the_finding(("capacity:\n        kind: on_demand", f"capacity: {text}"))
    assert (finding.id, finding.location.path) == ("E0012", "eks.node_groups[1].capacity")
    assert "not keys and values" in finding.message


def test_an_unknown_key_is_answered_with_the_near_one_and_all_known_ones():
    hint = the_finding(("  nat: single", "  natt: single")).hint
    assert "did you mean nat?" in hint
    assert "availability_zones" in hint


def test_a_missing_key_is_located_at_the_mapping_that_lacks_it():
    finding = the_finding(("      instance_type: trn1.32xlarge\n", ""))
    assert (finding.id, finding.location.path) == ("E0011", "eks.node_groups[1].instance_type")
    assert finding.location.line > 40


def test_a_tree_that_is_no_mapping_is_one_finding():
    for text in ("- a\n", "hello\n"):
        document = read_document(text, "e.yaml")
        (finding,) = validate_tree(document.tree, document.source).findings
        assert finding.id == "E0012"


def test_a_misshapen_key_does_not_hide_what_the_rules_find_elsewhere(tmp_path: Path):
    """One run reports the misspelt key, the broken network and the unknown type."""
    text = SHIPPED.read_text().replace("nat: single", "natt: single").replace("trn1.32xlarge", "trn1.33xlarge")
    text = text.replace("cidr: 10.20.0.0/16", "cidr: ten")
    (tmp_path / "e.yaml").write_text(text)
    found = {(f.id, f.location.path) for f in check_environment(tmp_path / "e.yaml").findings}
    assert {
        ("E0010", "network.natt"),
        ("E0013", "network.cidr"),
        ("E3001", "eks.node_groups[1].instance_type"),
    } <= found


def test_a_broken_optional_value_does_not_hide_the_rules_about_its_neighbours(tmp_path: Path):
    text = SHIPPED.read_text().replace("efa: efa", "efa: on").replace("trn1.32xlarge", "trn1.33xlarge")
    (tmp_path / "e.yaml").write_text(text)
    found = {(f.id, f.location.path) for f in check_environment(tmp_path / "e.yaml").findings}
    assert {("E0013", "eks.node_groups[1].efa"), ("E3001", "eks.node_groups[1].instance_type")} <= found


def test_rules_do_not_speak_of_values_that_only_stand_in_for_broken_ones(tmp_path: Path):
    """A broken instance type is replaced by an example to read on; nobody hears of the example."""
    text = SHIPPED.read_text().replace("instance_type: trn1.32xlarge", "instance_type: [1]")
    (tmp_path / "e.yaml").write_text(text)
    errors = [f for f in check_environment(tmp_path / "e.yaml").findings if f.id.startswith("E")]
    assert [f.location.path for f in errors] == ["eks.node_groups[1].instance_type"]


@pytest.mark.parametrize(
    ("lines", "example"),
    [
        ("  auto_mode: on\n", "For example: false"),
        ("  chart_values: []\n", "For example: {kueue: {controllerManager: {replicas: 2}}}"),
        ("  prefix_delegation: {}\n", "For example: true"),
    ],
)
def test_an_example_can_be_copied_into_the_file(lines: str, example: str):
    assert the_finding(("eks:\n", f"eks:\n{lines}")).hint.endswith(example)


@pytest.mark.parametrize("quoted", ['"false"', "'true'"])
def test_a_switch_in_quotes_is_a_text_as_it_is_for_editors(quoted: str):
    finding = the_finding(("eks:\n", f"eks:\n  auto_mode: {quoted}\n"))
    assert (finding.id, finding.location.path) == ("E0013", "eks.auto_mode")
    assert "without quotes" in finding.message


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("count: {min: 0, desired: 16, max: 16}", "count: 16", "Number of instances. For example: {max: 16}"),
        ("      count: {min: 0, desired: 16, max: 16}\n", "", "add it: Number of instances. For example: {max: 16}"),
        ("efa: efa", "taints: {a: b}", "For example: [{key: team, effect: no_schedule}]"),
        ("eks:\n", "eks:\n  prefix_delegation:\n", "write one, or remove the line. For example: true"),
        ("  sdk: 2.32.0", "  sdk:", 'write one. For example: "2.32.0"'),
        ("[usw2-az4, usw2-az1]", "[usw2-az4, [x]]", 'For example: "usw2-az4"'),
        ("cost-center: ml-platform", "cost-center: [ml]", 'For example: "ml-platform"'),
        ("addons:\n", "addons: [jobset]\n  #", "For example: {jobset: true}"),
    ],
)
def test_a_hint_has_an_example_also_where_it_must_be_put_together(old: str, new: str, hint: str):
    if new.startswith("addons"):
        finding = the_finding((old, new), ("    jobset: true\n", ""))
    else:
        finding = the_finding((old, new))
    assert finding.hint.endswith(hint)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[usw2-az4, usw2-az1]", "[]", "network.availability_zones is []; it must have at least 1 item"),
        ("[usw2-az4, usw2-az1]", f"[{', '.join(['usw2-az4'] * 7)}]", "it must have at most 6 items, not 7"),
        ("efa: efa", 'taints: [{key: "", effect: no_schedule}]', 'key is ""; it must have at least 1 character'),
        ("path: /checkpoints", f"path: /{'a' * 5000}", "it must have at most 4096 characters, not 5001"),
        ("jobset: true", "jobset: {}", "eks.addons.jobset is a mapping of keys, not true or false"),
        ("max: 16}", "max: {}}", "max is a mapping of keys, not a whole number"),
        ("max: 16}", "max: 10001}", "count.max is 10001; it must be at most 10000"),
        ("cidr: 10.20.0.0/16", "cidr: 203.0.113.7", "203.0.113.7/32 for a single address"),
    ],
)
def test_what_is_allowed_is_said_without_words_of_the_library(old: str, new: str, message: str):
    assert the_finding((old, new)).message.endswith(message)


@pytest.mark.parametrize("given", ["", " true", " my-bucket"])
def test_a_bucket_that_is_asked_for_in_a_wrong_way_is_one_error_that_says_how(given: str, tmp_path: Path):
    old = "checkpoint_bucket:\n    noncurrent_version_days: 30\n"
    (tmp_path / "e.yaml").write_text(SHIPPED.read_text().replace(old, f"checkpoint_bucket:{given}\n"))
    (error,) = [f for f in check_environment(tmp_path / "e.yaml").findings if f.id.startswith("E")]
    assert (error.id, error.location.path) == ("E0012", "storage.checkpoint_bucket")
    assert "rite checkpoint_bucket: {}" in error.hint


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [("on_demand", "reservation_id", "cr-0123456789abcdef0"), ("spot", "starts", "2026-12-01T11:30:00Z")],
)
def test_a_key_of_another_kind_is_said_to_be_one(kind: str, key: str, value: str):
    finding = the_finding(("kind: on_demand", f"kind: {kind}\n        {key}: {value}"))
    assert (finding.id, finding.location.path) == ("E0010", f"eks.node_groups[1].capacity.{key}")
    assert f"{key} is a key of kind " in finding.message
    assert finding.message.endswith(f"block or ultraserver_block, not of {kind}")
    assert finding.hint.startswith("write kind: ")
    assert finding.hint.endswith("block or ultraserver_block, or remove the line")


def test_a_key_is_explained_as_the_kind_has_it():
    finding = the_finding(("kind: on_demand", "kind: reservation\n        reservation_id: r-1"))
    assert finding.hint.startswith("Id of the capacity reservation.")


def test_a_key_of_no_kind_is_answered_with_those_of_the_kind():
    hint = the_finding(
        ("kind: on_demand", "kind: capacity_block\n        reservation_id: cr-0123456789abcdef0\n        ultra: 1")
    ).hint
    assert hint == "remove it; known here: ends, kind, reservation_id, starts"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("  nat: single", "  \u00a0nat: single", "it contains a no-break space"),
        ("  nat: single", "  nat: single\u200b", "it contains a zero width space"),
    ],
)
def test_a_character_that_does_not_show_is_named(old: str, new: str, says: str):
    assert says in the_finding((old, new)).hint


def test_a_forgotten_dash_is_one_error(tmp_path: Path):
    text = SHIPPED.read_text().replace("    - name: trn1", "      name: trn1")
    (tmp_path / "e.yaml").write_text(text)
    errors = [f.id for f in check_environment(tmp_path / "e.yaml").findings if f.id.startswith("E")]
    assert errors == ["E0005"]


def errors_of(tmp_path: Path, old: str, new: str) -> list[tuple[str, str]]:
    text = SHIPPED.read_text()
    assert old in text
    (tmp_path / "e.yaml").write_text(text.replace(old, new, 1))
    findings = check_environment(tmp_path / "e.yaml").findings
    return [(f.id, f.location.path) for f in findings if f.id.startswith("E")]


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("eks:\n", "EKS:\n", "EKS"),
        ("  sdk:", "  SDK:", "neuron.SDK"),
        ("    admins:", "    admin:", "eks.access.admin"),
        ("region:", "regoin:", "regoin"),
        ("kind: on_demand", "Kind: on_demand", "eks.node_groups[1].capacity.Kind"),
    ],
)
def test_what_a_misspelt_key_holds_is_read_so_that_nothing_is_missing(old: str, new: str, path: str, tmp_path: Path):
    assert errors_of(tmp_path, old, new) == [("E0010", path)]
    assert "did you mean " in the_finding((old, new)).hint


def test_what_stands_below_a_misspelt_key_is_judged_where_it_is_written():
    findings = shaped(("  nat: single", "  natt: sngle")).findings
    assert [(f.id, f.location.path, f.location.line) for f in findings] == [
        ("E0010", "network.natt", 29),
        ("E0013", "network.nat", 29),
    ]


def test_a_misspelt_key_beside_the_right_one_is_left_out():
    assert the_finding(("  nat: single", "  nat: single\n  natt: x")).location.path == "network.natt"


@pytest.mark.parametrize(("kind", "first"), [("type: spot", "E0011"), ("kind: block", "E0013")])
def test_keys_of_a_mapping_without_a_known_kind_are_found_in_the_same_run(kind: str, first: str):
    findings = shaped(("kind: on_demand", f"{kind}\n        max_price: 1")).findings
    at = "eks.node_groups[1].capacity"
    assert (first, f"{at}.kind") in [(f.id, f.location.path) for f in findings]
    assert ("E0010", f"{at}.max_price") in [(f.id, f.location.path) for f in findings]


@pytest.mark.parametrize(("starts", "is_asked_for"), [("", True), ("        starts: tomorrow\n", False)])
def test_nobody_asks_for_a_key_that_is_there_but_cannot_be_read(starts: str, is_asked_for: bool, tmp_path: Path):
    block = "kind: capacity_block\n        reservation_id: cr-0123456789abcdef0\n"
    (tmp_path / "e.yaml").write_text(SHIPPED.read_text().replace("kind: on_demand\n", block + starts))
    found = {f.id for f in check_environment(tmp_path / "e.yaml").findings}
    assert ("W3026" in found) is is_asked_for


def test_a_cluster_that_cannot_be_read_is_not_called_missing(tmp_path: Path):
    text = SHIPPED.read_text()
    eks = text[text.index("eks:\n") : text.index("# A dashboard")]
    assert errors_of(tmp_path, eks, "eks: yes\n") == [("E0012", "eks")]


def test_no_group_is_compared_with_the_one_that_stands_in_for_an_empty_item(tmp_path: Path):
    old = "    - name: system"
    assert errors_of(tmp_path, old, f"    -\n{old}") == [("E0012", "eks.node_groups[0]")]


@pytest.mark.parametrize("prefix", ["checkpoints/.tmp", "run..1", "a/..b", ".c", "-/_"])
def test_names_with_dots_are_parts_of_a_prefix(prefix: str):
    assert shaped(("prefix: checkpoints", f"prefix: {prefix}")).findings == []
