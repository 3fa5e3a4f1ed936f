"""`init` on the command line: a repository in a new folder, or nothing."""

from __future__ import annotations

import io
import json
import re
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from merged_text import merged_text

from neuron_cluster.cli.main import build_parser

from .conftest import PROJECT, Command

TEMPLATES = sorted(path.stem for path in (PROJECT / "environments").glob("*.yaml"))
OPTIONS = ("--name", "first", "--account", "210987654321", "--region", "us-west-2")
GIVEN = ("--template", "dev-inf2", *OPTIONS)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def written(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_the_repository_is_a_project_whose_environment_is_valid(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "clusters"
    ran = command("init", str(folder), *GIVEN)
    assert (ran.status, ran.err) == (0, "")
    assert written(folder) == [
        ".github/workflows/neuron-cluster.yaml", ".gitignore", ".gitlab-ci.yml", ".vscode/settings.json", "README.md",
        "cdk.json", "environments/environment.schema.json", "environments/first.yaml",
        "environments/partial.schema.json", "requirements.txt",
    ]  # fmt: skip
    assert command("validate", "first", "--project", str(folder)).status == 0
    assert command("plan", "first", "--project", str(folder), "--format", "json").document["plan"]["name"] == "first"
    assert [each.name for each in tmp_path.iterdir()] == ["clusters"]


def test_files_have_the_values_of_the_environment(tmp_path: Path, command: Command) -> None:
    command("init", str(tmp_path / "a"), *GIVEN)
    texts = {name: (tmp_path / "a" / name).read_text() for name in written(tmp_path / "a")}
    assert [name for name, text in texts.items() if "@@" in text] == []
    (line,) = (line for line in texts["requirements.txt"].splitlines() if not line.startswith("#"))
    assert line == f"./wheels/neuron_cluster_toolkit-{version('neuron-cluster-toolkit')}-py3-none-any.whl"
    assert json.loads(texts["cdk.json"])["app"] == "neuron-cluster-app"
    github = yaml.safe_load(texts[".github/workflows/neuron-cluster.yaml"])
    assert github["jobs"]["deploy"]["permissions"]["id-token"] == "write"
    assert "role-to-assume: arn:aws:iam::210987654321:role/" in texts[".github/workflows/neuron-cluster.yaml"]
    uses = [step["uses"] for job in github["jobs"].values() for step in job["steps"] if "uses" in step]
    assert [each for each in uses if not re.fullmatch(r"[a-z-]+/[a-z-]+@[0-9a-f]{40}", each)] == []
    gitlab = yaml.safe_load(texts[".gitlab-ci.yml"])
    installs = [
        *(step["run"] for job in github["jobs"].values() for step in job["steps"] if "pip " in step.get("run", "")),
        *gitlab["default"]["before_script"],
    ]
    assert [each for each in installs if not each.endswith("pip install --only-binary=:all: -r requirements.txt")] == []
    assert ["TOKEN" in each for each in installs] == [False, True, True]
    assert gitlab["deploy"]["variables"]["AWS_REGION"] == "us-west-2"
    assert json.loads(texts[".vscode/settings.json"])["yaml.schemas"]
    assert "111122223333" not in texts["environments/first.yaml"]
    assert "neuron-cluster validate first\n" in texts["environments/first.yaml"]


def test_the_readme_has_what_its_commands_and_references_need(tmp_path: Path, command: Command) -> None:
    command("init", str(tmp_path / "a"), *GIVEN)
    readme = (tmp_path / "a" / "README.md").read_text()
    shown = [line.split() for line in readme.splitlines() if line.startswith("    neuron-cluster ")]
    assert [text[1] for text in shown] == ["setup", "validate", "plan", "deploy", "lock", "deploy"]
    for text in shown:
        build_parser(text[1]).parse_args(text[1:])  # ends with SystemExit for a wrong line
    assert "The toolkit is not on PyPI" in readme
    assert "credentials of account 210987654321" in readme
    assert "docs/" in (tmp_path / "a" / "environments" / "first.yaml").read_text()
    assert "`neuron-cluster explain docs/NAME.md` prints a page" in readme


def test_the_trust_policies_of_the_readme_name_one_repository_and_no_pattern(tmp_path: Path, command: Command) -> None:
    command("init", str(tmp_path / "a"), *GIVEN)
    readme = (tmp_path / "a" / "README.md").read_text()
    blocks = re.findall(r"^    \{\n(?:      .*\n)*    \}$", readme, re.MULTILINE)
    statements = [statement for block in blocks for statement in json.loads(block)["Statement"]]
    assert [each["Condition"] for each in statements] == [
        {"StringEquals": {
            "token.actions.githubusercontent.com:aud": "sts.amazonaws.com",
            "token.actions.githubusercontent.com:sub": "repo:ORG/REPO:environment:aws",
        }},
        {"StringEquals": {
            "gitlab.com:aud": "https://gitlab.com",
            "gitlab.com:sub": "project_path:GROUP/PROJECT:ref_type:branch:ref:main",
        }},
    ]  # fmt: skip
    assert all("210987654321" in each["Principal"]["Federated"] for each in statements)


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_is_valid_under_another_name(name: str, tmp_path: Path, command: Command) -> None:
    region = yaml.safe_load(merged_text(PROJECT / "environments" / f"{name}.yaml"))["region"]
    folder = tmp_path / "clusters"
    options = ("--name", "llm70b", "--account", "210987654321", "--region", region)
    assert command("init", str(folder), "--template", name, *options).status == 0
    findings = command("validate", "llm70b", "--project", str(folder), "--format", "json").document["findings"]
    assert [each for each in findings if each["severity"] == "error"] == []


def test_another_region_gets_zones_of_its_own(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "clusters"
    options = ("--name", "first", "--account", "210987654321", "--region", "eu-north-1")
    assert command("init", str(folder), "--template", "dev-inf2", *options).status == 0
    config = yaml.safe_load((folder / "environments" / "first.yaml").read_text())
    assert config["region"] == "eu-north-1"
    assert config["network"]["availability_zones"] == ["eun1-az1", "eun1-az2"]


def test_arns_names_and_the_example_lock_have_the_other_region(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "clusters"
    options = ("--name", "shared", "--account", "210987654321", "--region", "us-east-2")
    assert command("init", str(folder), "--template", "existing-vpc", *options).status == 0
    assert {"environments/shared.yaml", "environments/locks/shared.yaml"} <= set(written(folder))
    for name in ("shared.yaml", "locks/shared.yaml"):
        text = (folder / "environments" / name).read_text()
        assert "us-east-2" in text
        assert [word for word in ("us-west-2", "usw2-", "111122223333", "existing-vpc\n") if word in text] == []
    storage = yaml.safe_load((folder / "environments" / "shared.yaml").read_text())["storage"]
    assert storage["checkpoint_bucket"]["existing"]["key_arn"].startswith("arn:aws:kms:us-east-2:210987654321:key/")
    assert storage["lustre"]["existing"]["dns_name"].endswith(".fsx.us-east-2.amazonaws.com")
    assert command("validate", "shared", "--project", str(folder)).status == 0


def test_a_template_that_extends_a_base_is_written_with_it(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "clusters"
    options = ("--name", "llm70b", "--account", "210987654321", "--region", "us-east-2")
    assert command("init", str(folder), "--template", "train-west", *options).status == 0
    assert {"environments/llm70b.yaml", "environments/bases/train.yaml"} <= set(written(folder))
    texts = [(folder / "environments" / name).read_text() for name in ("llm70b.yaml", "bases/train.yaml")]
    assert ["111122223333" in text or "us-west-2" in text for text in texts] == [False, False]
    ran = command("expand", "llm70b", "--project", str(folder), "--format", "json")
    values = {each["path"]: (each["value"], Path(each["file"]).name) for each in ran.document["values"]}
    assert values["name"] == ("llm70b", "llm70b.yaml")
    assert values["account"] == ("210987654321", "train.yaml")
    assert values["region"] == ("us-east-2", "llm70b.yaml")
    assert values["eks.access.admins[0]"] == ("arn:aws:iam::210987654321:role/platform-admin", "train.yaml")
    assert values["network.availability_zones[0]"][0].startswith("use2-")
    assert command("validate", "llm70b", "--project", str(folder)).status == 0


def test_another_vpc_than_the_example_needs_a_lock_of_its_own(tmp_path: Path, command: Command) -> None:
    assert command("init", str(tmp_path / "a"), "--template", "existing-vpc", *OPTIONS).status == 0
    file = tmp_path / "a" / "environments" / "first.yaml"
    file.write_text(file.read_text().replace("vpc-0123456789abcdef0", "vpc-0fedcba9876543210"))
    ran = command("validate", "first", "--project", str(tmp_path / "a"), "--format", "json")
    assert [each["id"] for each in ran.document["findings"] if each["severity"] == "error"] == ["E1042"]


def test_a_region_in_which_the_template_is_not_valid_writes_nothing(tmp_path: Path, command: Command) -> None:
    options = ("--name", "first", "--account", "210987654321", "--region", "us-west-1")
    ran = command("init", str(tmp_path / "clusters"), "--template", "dev-inf2", *options)
    assert ran.status == 1
    assert "template dev-inf2: not offered in us-west-1" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_files_stays_as_it_is(tmp_path: Path, command: Command) -> None:
    (tmp_path / "README.md").write_text("mine")
    ran = command("init", str(tmp_path), *GIVEN)
    assert ran.status == 1
    assert "is not empty: README.md" in ran.err
    assert written(tmp_path) == ["README.md"]


@pytest.mark.parametrize("missing", ["--template", "--name", "--account", "--region"])
def test_without_a_terminal_every_option_is_required(missing: str, tmp_path: Path, command: Command) -> None:
    at = GIVEN.index(missing)
    ran = command("init", str(tmp_path / "a"), *GIVEN[:at], *GIVEN[at + 2 :])
    assert ran.status == 2
    named = "--purpose or --template" if missing == "--template" else missing
    assert f"these are required: {named}\n" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_is_prompted_for_what_is_missing(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("develo\n\ndev-inf\n\nsecond\n12\n210987654321\n\n\n\n\n\n"))
    ran = command("init", str(tmp_path / "a"))
    assert ran.status == 0
    assert "purpose (develop, serve, finetune, train, research, workstation) [develop]: " in ran.err
    assert "did you mean develop" in ran.err
    assert "template (dev-inf2, dev-trn2) [dev-inf2]: " in ran.err
    assert "did you mean dev-inf2" in ran.err
    assert "'12' is not an account id" in ran.err
    assert "region [us-west-2]: " in ran.err
    assert yaml.safe_load((tmp_path / "a" / "environments" / "second.yaml").read_text())["account"] == 210987654321


def test_the_end_of_the_input_writes_nothing(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("develop\ndev-inf2\n"))
    ran = command("init", str(tmp_path / "a"))
    assert ran.status == 1
    assert "add --name" in ran.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        (("--template", "dev-inf"), 1, "did you mean dev-inf2"),
        (("--purpose", "trian"), 2, "did you mean train?"),
        (("--name", "../x"), 2, "is not the name of an environment"),
        (("--name", "First"), 2, "lower-case letters"),
        (("--account", "12"), 2, "twelve digits"),
        (("--region", "us-west-9"), 2, "is not a known Region"),
    ],
)
def test_a_wrong_value_is_named(
    arguments: tuple[str, str], status: int, text: str, tmp_path: Path, command: Command
) -> None:
    ran = command("init", str(tmp_path / "a"), *GIVEN, *arguments)
    assert ran.status == status
    assert text in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_clone_without_commits_gets_the_files_and_keeps_git(tmp_path: Path, command: Command) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    assert command("init", str(tmp_path), *GIVEN).status == 0
    assert {".git/HEAD", "cdk.json", "environments/first.yaml"} <= set(written(tmp_path))
    assert (tmp_path / ".git" / "HEAD").read_text() == "ref: refs/heads/main\n"


def test_a_repository_with_files_is_named_without_git_or_a_hint_to_delete_it(tmp_path: Path, command: Command) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "LICENSE").touch()
    ran = command("init", str(tmp_path), *GIVEN)
    assert ran.err.startswith(f"error: {tmp_path} is not empty: LICENSE\n")
    assert "delete" not in ran.err
    assert command("init", str(tmp_path / "neuron"), *GIVEN).status == 0


def test_an_empty_path_is_not_the_working_directory(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = command("init", "", *GIVEN)
    assert ran.status == 2
    assert "the path is empty" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named_without_an_option_that_init_lacks(command: Command) -> None:
    ran = command("init", "/proc/clusters", *GIVEN)
    assert ran.status == 1
    assert ran.err.startswith("error: /proc/clusters cannot be written: ")


def test_templates_are_listed(command: Command) -> None:
    rows = command("init", "--list-templates", "--format", "json").document["templates"]
    assert [row["name"] for row in rows] == TEMPLATES
    assert all(row["summary"] and row["purposes"] for row in rows)
    text = command("init", "--list-templates").out
    assert all(name in text for name in TEMPLATES)
    assert command("init").status == 2
