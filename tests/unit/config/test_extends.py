"""A file that extends a base: what merges, what is removed, and where findings point."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.bounded_file import MAX_BYTES
from neuron_cluster.config.bases import MAX_FILES
from neuron_cluster.config.document import MAX_VALUES
from neuron_cluster.config.loader import load_environment
from neuron_cluster.findings.finding import Finding
from neuron_cluster.pipeline import Checked, check_environment

BASE = """\
schema: 1
account: 111122223333
lifecycle: durable
tags: {owner: ml, team: research}
neuron: {sdk: 2.32.0}
network:
  availability_zones: [usw2-az1, usw2-az2]
  nat: single
storage:
  homes:
    - name: alice
      availability_zone: usw2-az1
      size_gib: 200
    - name: bob
      availability_zone: usw2-az1
      size_gib: 300
workstations:
  - name: alice
    instance_type: trn1.2xlarge
    dlami: multi_framework_ubuntu_24_04
    availability_zone: usw2-az1
    root_volume: {size_gib: 512}
    capacity:
      kind: reservation
      reservation_id: cr-0123456789abcdef1
"""
OWN = """\
extends: bases/train.yaml
name: small
region: us-west-2
network: {cidr: 10.50.0.0/16}
"""


class Files:
    """The environments of a project."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "environments" / "bases").mkdir(parents=True)
        (root / "cdk.json").write_text("{}")
        self.write("bases/train", BASE)

    def path(self, name: str) -> Path:
        return self.root / "environments" / f"{name}.yaml"

    def write(self, name: str, text: str) -> Path:
        self.path(name).write_text(text)
        return self.path(name)

    def checked(self, text: str = OWN) -> Checked:
        return check_environment(self.write("small", text), display_name="environments/small.yaml")

    def tree(self, text: str = OWN) -> Any:
        return load_environment(self.write("small", text)).tree

    def found(self, text: str, finding_id: str) -> Finding:
        (found,) = [each for each in self.checked(text).findings if each.id == finding_id]
        return found

    def errors(self, text: str = OWN) -> list[str]:
        return [f"{each.id} {each.message}" for each in self.checked(text).findings if each.severity.value == "error"]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_mappings_merge_key_by_key_and_scalars_and_other_lists_replace(files: Files) -> None:
    tree = files.tree(OWN.replace("{cidr: 10.50.0.0/16}", "{cidr: 10.50.0.0/16, availability_zones: [usw2-az4]}"))
    assert tree["network"] == {"availability_zones": ["usw2-az4"], "nat": "single", "cidr": "10.50.0.0/16"}
    assert tree["tags"] == {"owner": "ml", "team": "research"}
    assert files.errors() == []


def test_lists_whose_items_have_names_merge_by_name_and_append_new_ones(files: Files) -> None:
    own = f"{OWN}storage:\n  homes:\n    - {{name: carol, size_gib: 100}}\n    - {{name: bob, size_gib: 400}}\n"
    homes = files.tree(own)["storage"]["homes"]
    assert [(home["name"], home["size_gib"]) for home in homes] == [("alice", "200"), ("bob", "400"), ("carol", "100")]
    assert homes[1]["availability_zone"] == "usw2-az1"


def test_a_list_replaces_where_an_item_has_no_name_or_there_is_none(files: Files) -> None:
    assert files.tree(f"{OWN}storage: {{homes: []}}\n")["storage"]["homes"] == []
    assert files.tree(f"{OWN}storage: {{homes: [{{size_gib: 1}}]}}\n")["storage"]["homes"] == [{"size_gib": "1"}]


def test_the_second_of_two_items_with_one_name_is_reported_by_its_rule(files: Files) -> None:
    own = f"{OWN}workstations:\n  - {{name: alice, idle_minutes: 60}}\n  - {{name: alice, idle_minutes: 90}}\n"
    assert len(files.tree(own)["workstations"]) == 2
    files.write("bases/train", BASE + BASE[BASE.index("  - name: alice\n    instance_type") :])
    found = files.found(f"{OWN}workstations:\n  - {{name: alice}}\n", "E7007")
    assert found.location.file == "environments/bases/train.yaml"


def test_another_kind_replaces_the_mapping_of_the_base(files: Files) -> None:
    own = f"{OWN}workstations:\n  - name: alice\n    capacity: {{kind: on_demand}}\n"
    assert files.tree(own)["workstations"][0]["capacity"] == {"kind": "on_demand"}
    assert files.errors(own) == []
    other = f"{OWN}workstations:\n  - name: alice\n    capacity: {{reservation_id: cr-0123456789abcdef2}}\n"
    assert files.tree(other)["workstations"][0]["capacity"]["kind"] == "reservation"


def test_null_removes_a_key_of_the_base_and_quotes_make_a_text_of_it(files: Files) -> None:
    tree = files.tree(f'{OWN}storage: null\ntags: {{team: null, owner: "null"}}\n')
    assert "storage" not in tree
    assert tree["tags"] == {"owner": "null"}
    assert files.tree("tags: {team: null}\n") == {"tags": {"team": "null"}}, "without a base it is a text"


def test_a_required_key_that_is_removed_is_missing_where_it_is_removed(files: Files) -> None:
    found = files.found(f"{OWN}neuron: null\n", "E0011")
    assert (found.location.file, found.location.line) == ("environments/small.yaml", 5)


def removing_base(files: Files) -> None:
    files.write("bases/middle", "extends: train.yaml\nneuron: null\ntags: {team: null, owner: null}\n")


def test_a_required_key_that_a_base_removes_is_missing_there(files: Files) -> None:
    removing_base(files)
    found = files.found(OWN.replace("bases/train", "bases/middle"), "E0011").location
    assert (found.file, found.line, found.extended_by) == (
        "environments/bases/middle.yaml",
        2,
        "environments/small.yaml",
    )


def test_a_key_that_a_base_has_removed_cannot_be_removed_again_and_can_be_set(files: Files) -> None:
    removing_base(files)
    own = OWN.replace("bases/train", "bases/middle")
    found = files.found(f"{own}tags: {{team: null, owner: ops}}\n", "E1056")
    assert found.message == (
        "tags.team is null, which removes a key of the base; environments/bases/middle.yaml has removed it"
    )
    assert found.hint == "remove the line"
    assert files.tree(f"{own}tags: {{owner: ops}}\n")["tags"] == {"owner": "ops"}


def test_a_pipe_that_was_read_before_is_told_from_an_empty_file(tmp_path: Path) -> None:
    end, write = os.pipe()
    os.write(write, BASE.encode())
    os.close(write)
    pipe = Path(f"/dev/fd/{end}")
    assert "account" in load_environment(pipe).tree
    (again,) = load_environment(pipe).findings
    os.close(end)
    assert (again.id, again.message) == ("E0004", "nothing was read from it")
    assert again.hint.startswith("write the text to a file, and name that")
    (tmp_path / "empty.yaml").touch()
    assert load_environment(tmp_path / "empty.yaml").findings[0].message == "the file is empty"


def test_null_in_values_of_a_chart_is_a_value(files: Files) -> None:
    values = 'eks: {version: "1.35", node_groups: [], chart_values: {kueue: {a: {b: 1}}}}\n'
    files.write("bases/train", BASE + values)
    tree = files.tree(f"{OWN}eks: {{chart_values: {{kueue: {{a: {{b: null, c: null}}}}}}}}\n")
    assert tree["eks"]["chart_values"] == {"kueue": {"a": {"b": "null", "c": "null"}}}
    assert files.tree(f"{OWN}eks: {{chart_values: {{kueue: null}}}}\n")["eks"]["chart_values"] == {}


def test_a_base_may_extend_another_one(files: Files) -> None:
    files.write("bases/all", "schema: 1\naccount: 444455556666\nlifecycle: ephemeral\n")
    files.write("bases/train", BASE.replace("schema: 1", "extends: all.yaml").replace("lifecycle: durable\n", ""))
    loaded = load_environment(files.write("small", OWN), display_name="small.yaml")
    assert loaded.config is not None
    assert (loaded.config.account, loaded.config.lifecycle) == ("111122223333", "ephemeral")
    assert loaded.source.locate(("lifecycle",)).file == "bases/all.yaml"
    assert [file.display_name for file in loaded.files] == ["small.yaml", "bases/train.yaml", "bases/all.yaml"]
    assert loaded.config.extends == "bases/train.yaml"


def test_an_environment_may_be_a_base(files: Files) -> None:
    files.checked()
    files.write("copy", "extends: small.yaml\nname: copy\n")
    assert [f.id for f in check_environment(files.path("copy")).findings if f.severity.value == "error"] == []


def test_an_error_in_a_base_points_at_its_line_and_names_the_environment(files: Files) -> None:
    files.write("bases/train", BASE.replace("dlami: multi_", "dlam: multi_").replace("size_gib: 300", "size_gib: x"))
    own = f"{OWN}storage:\n  homes:\n    - {{name: carol, availability_zone: usw2-az9, size_gib: 100}}\n"
    found = {each.location.path: each.location for each in files.checked(own).findings if each.id != "W6002"}
    base = BASE.splitlines()
    for path, line in (("workstations[0].dlam", "    dlami:"), ("storage.homes[1].size_gib", "      size_gib: 300")):
        assert found[path].file == "environments/bases/train.yaml"
        assert base[found[path].line - 1].startswith(line)
        assert found[path].extended_by == "environments/small.yaml"
    zone = found["storage.homes[2].availability_zone"]
    assert (zone.file, zone.line, zone.extended_by) == ("environments/small.yaml", 7, "")


def test_a_base_that_is_not_yaml_is_one_finding_there(files: Files) -> None:
    files.write("bases/train", "schema: [1\n")
    assert [(each.id, str(each.location), each.location.extended_by) for each in files.checked().findings] == [
        ("E0003", "environments/bases/train.yaml:1:9", "environments/small.yaml")
    ]


@pytest.mark.parametrize("data", [b"a: 1\0", "schema: 1".encode("utf-16"), b"#" * (MAX_BYTES + 1)])
def test_a_base_that_is_no_text_or_too_large_is_one_finding_there(files: Files, data: bytes) -> None:
    files.path("bases/train").write_bytes(data)
    (found,) = files.checked().findings
    assert (found.id, found.location.file, found.location.extended_by) == (
        "E0002",
        "environments/bases/train.yaml",
        "environments/small.yaml",
    )


def test_two_keys_where_an_item_was_meant_are_one_finding_of_the_base(files: Files) -> None:
    """The item may be two: what its rules find in it is not reported."""
    files.write("bases/train", BASE.replace("    - name: bob\n", "      name: bob\n"))
    assert [each.split()[0] for each in files.errors()] == ["E0005"]


@pytest.mark.hints("E1050")
def test_a_base_that_cannot_be_read_is_reported_at_extends(files: Files) -> None:
    for given, text, hint in (
        (
            "bases/trian.yaml",
            "No such file",
            "did you mean bases/train.yaml? name a file; the path is relative to",
        ),
        ("none/train.yaml", "No such file", "relative to the folder of environments/small.yaml"),
        ("folder.yaml", "directory", "name a file; the path is relative to the folder"),
        ("pipe.yaml", "is not a file", "relative to the folder"),
        ("loop.yaml", "", "relative to the folder"),
        ("x" * 250 + ".yaml", "", "relative to the folder"),
    ):
        if not files.path("folder").exists():
            files.path("folder").mkdir()
            files.path("loop").symlink_to(files.path("loop"))
            os.mkfifo(files.path("pipe"))
        (found,) = files.checked(OWN.replace("bases/train.yaml", given)).findings
        assert (found.id, found.location.line, found.location.path) == ("E1050", 1, "extends")
        assert text in found.message
        assert hint in found.hint
    assert files.errors() == []


@pytest.mark.hints("E1051")
def test_a_base_outside_of_the_project_is_not_read(files: Files, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.yaml"
    outside.write_text(BASE)
    files.path("link").symlink_to(outside)
    for given in (f"../../{outside.name}", "link.yaml"):
        (found,) = files.checked(OWN.replace("bases/train.yaml", given)).findings
        assert (found.id, found.location.path) == ("E1051", "extends")
        assert f"copy the base into {tmp_path}, for example to environments/bases/" in found.hint
    assert files.errors() == [], "the base in environments/bases/"


def test_of_a_file_in_no_project_bases_are_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "drafts").mkdir()
    (tmp_path / "train.yaml").write_text(BASE)
    draft = tmp_path / "drafts" / "small.yaml"
    draft.write_text(OWN.replace("bases/train.yaml", "../train.yaml"))
    (found,) = check_environment(draft).findings
    assert found.id == "E1051"
    (tmp_path / "drafts" / "train.yaml").write_text(BASE)
    draft.write_text(OWN.replace("bases/train.yaml", "train.yaml"))
    assert [each.id for each in check_environment(draft).findings if each.severity.value == "error"] == []


@pytest.mark.hints("E1052")
def test_a_cycle_is_found_and_ends_when_one_file_extends_nothing(files: Files) -> None:
    files.write("bases/all", "extends: train.yaml\n")
    files.write("bases/train", f"extends: all.yaml\n{BASE}")
    (found,) = files.checked().findings
    assert (found.id, found.location.file, found.location.extended_by) == (
        "E1052",
        "environments/bases/all.yaml",
        "environments/small.yaml",
    )
    assert found.message == (
        "extends makes a cycle: environments/bases/train.yaml -> environments/bases/all.yaml -> "
        "environments/bases/train.yaml"
    )
    assert found.hint == "remove extends from one of these files"
    files.write("bases/all", "lifecycle: ephemeral\n")
    assert files.errors() == []
    (itself,) = files.checked(OWN.replace("bases/train.yaml", "small.yaml")).findings
    assert itself.id == "E1052"


@pytest.mark.hints("E1053")
def test_a_chain_has_a_limit(files: Files) -> None:
    for number in range(MAX_FILES):
        files.write(f"bases/b{number}", f"extends: b{number + 1}.yaml\n")
    files.write(f"bases/b{MAX_FILES - 2}", BASE)
    own = OWN.replace("bases/train.yaml", "bases/b0.yaml")
    assert files.errors(own) == []
    files.write(f"bases/b{MAX_FILES - 2}", f"extends: train.yaml\n{BASE}")
    (found,) = files.checked(own).findings
    assert (found.id, found.location.file) == ("E1053", f"environments/bases/b{MAX_FILES - 2}.yaml")
    assert "move what the further bases have into this file" in found.hint


@pytest.mark.hints("E1054")
@pytest.mark.parametrize(
    "given",
    ["/etc/base.yaml", "~/base.yaml", "https://example.com/a.yaml", "[a.yaml, b.yaml]", "base", "null", '""', ""],
)
def test_extends_is_one_relative_path(files: Files, given: str) -> None:
    (found,) = files.checked(OWN.replace("bases/train.yaml", given)).findings
    assert (found.id, found.location.line) == ("E1054", 1)
    path = re.search(r"such as extends: (\S+)", found.hint)
    assert path is not None
    assert files.errors(OWN.replace("bases/train.yaml", path[1])) == []


@pytest.mark.hints("E1055")
@pytest.mark.parametrize("text", ["- schema: 1\n", "schema\n"])
def test_a_base_that_is_not_a_mapping_is_reported_there(files: Files, text: str) -> None:
    files.write("bases/train", text)
    (found,) = files.checked().findings
    assert (found.id, found.location.file) == ("E1055", "environments/bases/train.yaml")
    assert found.hint.startswith("write KEY: VALUE lines without dashes")


@pytest.mark.hints("E1056")
def test_null_for_a_key_that_no_base_has_is_reported(files: Files) -> None:
    own = f"{OWN}tags: {{ownr: null}}\nobservability: {{metrics: null}}\n"
    found = [each for each in files.checked(own).findings if each.id == "E1056"]
    assert [(each.location.path, each.location.line) for each in found] == [
        ("tags.ownr", 5),
        ("observability.metrics", 6),
    ]
    assert found[0].hint == 'did you mean owner? remove the line; for the text null write "null"'
    assert files.errors(f'{OWN}tags: {{owner: null, other: "null"}}\n') == []


@pytest.mark.hints("E1057")
def test_the_files_have_a_limit_together(files: Files) -> None:
    values = ",".join(["a"] * (MAX_VALUES // 2))
    own = f"{OWN}neuron: {{frameworks: [{values}]}}\n"
    files.write("bases/train", f"{BASE}propagate_at_launch: [{values}]\n")
    (found,) = files.checked(own).findings
    assert (found.id, found.location.path) == ("E1057", "extends")
    assert "remove content of this one that does not belong" in found.hint
    files.write("bases/train", BASE)
    assert files.errors() == []


@pytest.mark.hints("E1058")
def test_a_pipe_has_no_folder_for_a_base_and_a_worktree_has(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    files.checked()
    monkeypatch.chdir(files.root)
    for command in ("init -q", "add .", "-c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -qm a"):
        subprocess.run(["git", *command.split()], check=True)
    files.write("bases/train", BASE.replace("durable", "ephemeral"))
    read, write = os.pipe()
    os.write(write, OWN.encode())
    os.close(write)
    (found,) = check_environment(Path(f"/dev/fd/{read}")).findings
    os.close(read)
    assert (found.id, found.location.line) == ("E1058", 1)
    command = re.search(r"`(git [^`]+)`", found.hint)
    assert command is not None
    subprocess.run(shlex.split(command[1].replace("REVISION", "HEAD")), check=True, capture_output=True)
    earlier = load_environment(Path(".local/before/environments/small.yaml"))
    assert earlier.config is not None
    assert earlier.config.lifecycle == "durable"


def test_an_inherited_name_is_a_warning_that_names_the_file_to_edit(files: Files) -> None:
    files.write("bases/train", f"name: train\n{BASE}")
    found = files.found(OWN.replace("name: small\n", ""), "W0019")
    assert (found.location.file, found.location.line) == ("environments/bases/train.yaml", 1)
    assert found.hint.startswith("write name: small in environments/small.yaml, or rename")


def test_edited_content_is_read_in_place_of_a_base(files: Files) -> None:
    edited = {files.path("bases/train").resolve(): BASE.replace("durable", "ephemeral").encode()}
    loaded = load_environment(files.write("small", OWN), edited=edited)
    assert loaded.config is not None
    assert loaded.config.lifecycle == "ephemeral"


@pytest.mark.parametrize(
    ("name", "hint"),
    [("bobb", "did you mean name: bob, which the base has? Else add it: "), ("carol", "add it: ")],
)
def test_a_misspelt_name_of_an_item_of_the_base_is_near_to_it(name: str, hint: str, files: Files) -> None:
    found = files.found(f"{OWN}storage:\n  homes:\n    - {{name: {name}, size_gib: 400}}\n", "E0011")
    assert found.location.path == "storage.homes[2].availability_zone"
    assert found.hint.startswith(hint)
    mended = f"{OWN}storage:\n  homes:\n    - {{name: bob, size_gib: 400}}\n"
    assert files.errors(mended) == []


def test_a_name_that_the_file_has_too_is_not_said_to_be_meant(files: Files) -> None:
    homes = "    - {name: bob, size_gib: 400}\n    - {name: bobb, size_gib: 400}\n"
    assert files.found(f"{OWN}storage:\n  homes:\n{homes}", "E0011").hint.startswith("add it: ")
