"""`lock` against a local AWS: what it writes, what deploys with it, and what moving it does."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.deploy.assembly import read_assembly
from neuron_cluster.deploy.synthesis import synthesize
from neuron_cluster.local_checks.principals import make_principals
from neuron_cluster.lock.model import Lock, LockedAmiRelease
from neuron_cluster.lock.paths import local_locks, lock_path
from neuron_cluster.lock.reader import load_lock
from neuron_cluster.lock.writer import lock_text, write_lock
from tests.five_teams import team, written_with_teams

pytestmark = pytest.mark.slow
PLACEHOLDER, OWN, OTHER, REGION = "111122223333", "210987654321", "109876543210", "us-west-2"

Command = Callable[..., Any]


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    """With an environment of an account that is no placeholder."""
    text = (project / "environments" / "dev-inf2.yaml").read_text()
    ours = text.replace(PLACEHOLDER, OWN).replace("name: dev-inf2", "name: ours")
    (project / "environments" / "ours.yaml").write_text(ours)
    return project


@pytest.fixture
def command(command: Command, local_aws: LocalAws, log_in: Callable[[str], None]) -> Command:
    """Runs the command on the project. Without ``--local`` AWS is played by the local AWS, as this account."""

    def run(*arguments: str, account: str = OWN) -> Any:
        log_in(account)
        return command(*arguments)

    return run


def read(path: Path) -> Lock:
    lock = load_lock(path, display_name=path.name, again="").lock
    assert lock is not None
    return lock


def put(path: Path, lock: Lock) -> None:
    write_lock(path, lock_text(lock, {}, "a test"))


def in_environments(project: Path, name: str = "ours") -> Path:
    return lock_path(project / "environments" / "locks", name)


def test_a_lock_holds_what_the_account_tells_and_is_the_same_when_asked_again(
    command: Command, project: Path, local_aws: LocalAws
) -> None:
    ran = command("lock", "ours", "--no-registry")
    assert (ran.status, ran.document["is_written"]) == (0, True)
    assert {change["kind"] for change in ran.document["changes"]} == {"added"}
    path = in_environments(project)
    lock, target = read(path), LocalTarget(REGION, OWN, local_aws.endpoint)
    for name, release in lock.ami_releases.items():
        flavour = name.rpartition("_")[2].lower()
        folder = f"/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/{flavour}/recommended"
        reported = client(target, "ssm").get_parameter(Name=f"{folder}/release_version")["Parameter"]["Value"]
        assert release.release_version == reported
        assert f"# SSM parameter {folder}/release_version\n" in path.read_text()
    assert set(lock.ami_releases) == {"AL2023_x86_64_NEURON", "AL2023_x86_64_STANDARD"}
    assert set(lock.addons) >= {"vpc-cni", "coredns", "kube-proxy", "eks-pod-identity-agent"}
    assert {chart.digest for chart in lock.charts.values()} == {None}
    before = path.read_bytes()
    again = command("lock", "ours", "--no-registry")
    assert (again.document["is_written"], again.document["changes"]) == (False, [])
    assert path.read_bytes() == before
    assert sorted(left.name for left in path.parent.iterdir()) == ["existing-vpc.yaml", "ours.yaml"]


_whole: dict[Path, bytes] = {}


def whole(command: Command, project: Path) -> Path:
    """The lock of `ours` as the local AWS tells it; asked for once."""
    path = in_environments(project)
    if path not in _whole:
        assert command("lock", "ours", "--no-registry").status == 0
        _whole[path] = path.read_bytes()
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(_whole[path])
    return path


LOCKS_THAT_HINTS_MEND: dict[str, Callable[[Lock], Lock]] = {
    "E2020": lambda lock: structs.replace(lock, kubernetes_version="1.34"),
    "W2021": lambda lock: structs.replace(lock, addons={}),
    "E2093": lambda lock: structs.replace(lock, addons={**lock.addons, "vpc-cni": "v1.13.4-eksbuild.1"}),
    "W5052": lambda lock: structs.replace(
        lock, charts={name: structs.replace(chart, version="0.0.1") for name, chart in lock.charts.items()}
    ),
    "E3071": lambda lock: structs.replace(
        lock,
        ami_releases={
            name: structs.replace(release, release_version="1.35.0-20200101")
            for name, release in lock.ami_releases.items()
        },
    ),
}


def follow_hint(command: Command, environment: str, finding_id: str) -> None:
    """Runs the command in the hint of the finding, which must be there before and not after."""
    findings = command("validate", environment).document["findings"]
    hint = next(each["hint"] for each in findings if each["id"] == finding_id)
    [line] = re.findall(r"`neuron-cluster (lock [^`]+)`", hint)
    assert command(*shlex.split(line), "--no-registry").status == 0
    assert finding_id not in command("validate", environment).ids


@pytest.mark.parametrize("finding_id", LOCKS_THAT_HINTS_MEND)
def test_a_hint_about_a_lock_is_a_command_that_mends_it(finding_id: str, command: Command, project: Path) -> None:
    path = whole(command, project)
    put(path, LOCKS_THAT_HINTS_MEND[finding_id](read(path)))
    follow_hint(command, "ours", finding_id)


@pytest.mark.parametrize(("base", "finding_id"), [("dev-inf2", "W3011"), ("workstation", "W7010")])
def test_a_hint_about_no_lock_is_a_command_that_makes_one(
    base: str, finding_id: str, command: Command, project: Path
) -> None:
    text = (project / "environments" / f"{base}.yaml").read_text().replace(PLACEHOLDER, OWN)
    (project / "environments" / "fresh.yaml").write_text(text.replace(f"name: {base}", "name: fresh"))
    in_environments(project, "fresh").unlink(missing_ok=True)
    follow_hint(command, "fresh", finding_id)


def test_check_tells_drift_and_writes_nothing(command: Command, project: Path) -> None:
    command("lock", "ours", "--no-registry")
    assert command("lock", "ours", "--check", "--no-registry").status == 0
    path = in_environments(project)
    lock = read(path)
    put(path, structs.replace(lock, addons={**lock.addons, "coredns": "v1.0.0-eksbuild.1"}))
    before = path.read_bytes()
    ran = command("lock", "ours", "--check", "--no-registry")
    assert ran.status == 1
    assert ran.document["changes"] == [
        {"path": ["addons", "coredns"], "kind": "changed", "before": "v1.0.0-eksbuild.1",
         "after": lock.addons["coredns"]}
    ]  # fmt: skip
    assert path.read_bytes() == before
    path.unlink()
    assert command("lock", "ours", "--check", "--no-registry").status == 1
    assert not path.exists()


def unreadable(path: Path) -> None:
    """A folder in its place."""
    path.unlink()
    path.mkdir()


def replaced(old: str, new: str) -> Callable[[Path], None]:
    """An edit of the text of a lock."""

    def edit(path: Path) -> None:
        text = path.read_text()
        assert re.search(old, text)
        path.write_text(re.sub(old, new, text, count=1))

    return edit


def linked(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nowhere.yaml"))


def around(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def sealed(**changes: Any) -> Callable[[Path], None]:
    """A lock with other values and a checksum that fits."""
    return lambda path: put(path, structs.replace(read(path), **changes))


BROKEN_LOCKS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "a folder": ("E9101", unreadable),
    "a link to nothing": ("E9101", linked),
    "a link to itself": ("E9101", around),
    "too large": ("E9101", lambda path: path.write_bytes(b"#" * 2_000_000)),
    "no text": ("E9102", lambda path: path.write_bytes(b"\xff\xfe")),
    "a merge conflict": ("E9102", lambda path: path.write_text(f"<<<<<<< ours\n{path.read_text()}")),
    "a list": ("E9102", lambda path: path.write_text("- format: 1\n")),
    "empty": ("E9103", lambda path: path.write_bytes(b"")),
    "cut off": ("E9103", lambda path: path.write_text(path.read_text()[:-30])),
    "without its end": ("E9103", replaced("checksum: .*", "")),
    "edited": ("E9104", replaced("v1", "v2")),
    "newer": ("E9105", replaced("format: 1", "format: 2")),
    "no format": ("E9105", replaced("format: 1", "format: one")),
    "of another account": ("E9106", sealed(account=OTHER)),
    "of another Region": ("E9106", sealed(region="eu-west-1")),
    "of another environment": ("E9106", sealed(environment="theirs")),
    "of another form": ("E9107", sealed(addons={"coredns": "no version"})),
}


def broken_locks() -> list[Any]:
    """The names of all; one of each finding belongs to ``make test``, which reads all in ``tests/unit/lock``."""
    first = {finding_id: name for name, (finding_id, _) in reversed(BROKEN_LOCKS.items())}
    exhaustive = set(BROKEN_LOCKS) - set(first.values())
    return [pytest.param(name, marks=[pytest.mark.exhaustive] * (name in exhaustive)) for name in BROKEN_LOCKS]


@pytest.mark.hints("E9101", "E9102", "E9103", "E9104", "E9105", "E9106", "E9107")
@pytest.mark.parametrize("broken", broken_locks())
def test_the_hint_about_a_broken_lock_leads_to_a_whole_one(broken: str, command: Command, project: Path) -> None:
    """The command of the hint is enough, unless the hint first names something to remove."""
    finding_id, break_it = BROKEN_LOCKS[broken]
    path = whole(command, project)
    break_it(path)
    (finding,) = [each for each in command("validate", "ours").document["findings"] if each["id"].startswith("E91")]
    assert finding["id"] == finding_id
    (line,) = re.findall(r"`neuron-cluster (lock [^`]+)`", finding["hint"])
    if finding["hint"].startswith("remove it, then"):
        path.rmdir() if path.is_dir() else path.unlink()
    ran = command(*shlex.split(line), "--no-registry")
    assert (ran.status, set(ran.ids) <= {"W9109"}) == (0, True)
    assert [each for each in command("validate", "ours").ids if each.startswith("E91")] == []


def test_the_hint_about_a_broken_local_lock_asks_the_local_aws(command: Command, project: Path) -> None:
    path = lock_path(local_locks(project), "ours")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    (finding,) = [e for e in command("validate", "--local", "ours").document["findings"] if e["id"].startswith("E91")]
    (line,) = re.findall(r"`neuron-cluster (lock --local [^`]+)`", finding["hint"])
    assert command(*shlex.split(line)).status == 0
    assert [each for each in command("validate", "--local", "ours").ids if each.startswith("E91")] == []
    path.unlink()


def test_upgrade_reads_the_lock_of_the_aws_in_use(command: Command, project: Path) -> None:
    def group(*options: str) -> dict[str, str]:
        (host,) = command("upgrade", "ours", "--to", "2.31.1", *options).document["hosts"]
        return {key: host[key] for key in ("image_before", "what")}

    ours, local = whole(command, project), lock_path(local_locks(project), "ours")
    assert command("lock", "--local", "ours").status == 0
    older = structs.replace(read(ours).ami_releases["AL2023_x86_64_NEURON"], release_version="1.35.0-20260101")
    put(ours, structs.replace(read(ours), ami_releases={"AL2023_x86_64_NEURON": older}))
    newest = read(local).ami_releases["AL2023_x86_64_NEURON"].release_version
    file = project / "environments" / "ours.yaml"
    locked = f"not changed; `neuron-cluster lock{{}} {file}` updates its AMI"
    with_local = {"image_before": f"ami_release {newest} of the lock", "what": locked.format(" --local")}
    with_own = {"image_before": "ami_release 1.35.0-20260101 of the lock", "what": locked.format("")}
    assert (group("--local"), group()) == (with_local, with_own)
    ours.unlink()
    assert group("--local") == with_local
    assert "newest image" in group()["image_before"]
    local.unlink()
    assert group("--local") == group()


@pytest.mark.parametrize("key", ["account", "region", "name"])
def test_a_lock_of_another_place_says_what_the_file_can_say_instead(key: str, command: Command, project: Path) -> None:
    """The lock may be right, and the edit of the file a slip."""
    file, path = project / "environments" / "ours.yaml", whole(command, project)
    text, lock = file.read_text(), path.read_bytes()
    slips = {"account": (OWN, OTHER), "region": ("us-west-2", "eu-west-1"), "name": ("name: ours", "name: theirs")}
    file.write_text(text.replace(*slips[key]))
    if key == "name":
        in_environments(project, "theirs").write_bytes(lock)
    (hint,) = [each["hint"] for each in command("validate", "ours").document["findings"] if each["id"] == "E9106"]
    found = re.search(rf'; or write {key}: "(\S+)" in the environment file$', hint)
    assert found
    file.write_text(re.sub(rf"(?m)^{key}: .*$", f'{key}: "{found[1]}"', file.read_text()))
    assert "E9106" not in command("validate", "ours").ids
    file.write_text(text)
    in_environments(project, "theirs").unlink(missing_ok=True)


def test_what_one_chooses_goes_into_the_file_and_not_into_the_lock(command: Command, project: Path) -> None:
    file, path = project / "environments" / "ours.yaml", whole(command, project)
    text, release = file.read_text(), "1.35.6-20260625"
    replaced(r"1\.35\.6-[0-9]{8}", release)(path)
    (finding,) = [each for each in command("validate", "ours").document["findings"] if each["id"] == "E9104"]
    assert "in the environment file, which has precedence over its lock: ami_release, ami_id" in finding["hint"]
    (line,) = re.findall(r"`neuron-cluster (lock [^`]+)`", finding["hint"])
    assert command(*shlex.split(line), "--no-registry").status == 0
    file.write_text(text.replace("    - name: system\n", f"    - name: system\n      ami_release: {release}\n"))
    ran = command("plan", "ours")
    file.write_text(text)
    assert ran.status == 0
    groups = {group["name"]: group["machine"]["ami_release"] for group in ran.document["plan"]["eks"]["node_groups"]}
    assert groups["system"] == release
    assert groups["inf2"] != release


@pytest.mark.hints("W9109")
def test_what_moved_since_a_lock_that_could_not_be_read_is_shown_by_git(
    command: Command, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = whole(command, project)
    replaced("v1", "v2")(path)
    repository = ["git", f"--git-dir={tmp_path}", f"--work-tree={project}"]
    for arguments in (["init", "--quiet"], ["add", str(path)]):
        subprocess.run([*repository, *arguments], check=True)
    ran = command("lock", "ours", "--no-registry")
    (hint,) = [each["hint"] for each in ran.document["findings"] if each["id"] == "W9109"]
    (line,) = re.findall(r"`git (diff [^`]+)`", hint)
    shown = subprocess.run([*repository, *shlex.split(line)], check=True, capture_output=True, text=True).stdout
    assert re.search(r"(?m)^-.*v2", shown)
    assert command("lock", "ours", "--no-registry").ids == []


def test_a_broken_lock_is_refused_by_every_verb_and_written_anew_by_lock(command: Command, project: Path) -> None:
    path = in_environments(project)
    path.parent.mkdir(exist_ok=True)
    path.write_text("format: 1\n")
    for verb in (["validate", "ours"], ["plan", "ours"], ["deploy", "ours", "--yes"], ["lock", "ours", "--check"]):
        ran = command(*verb)
        assert (ran.status, "E9103" in ran.ids) == (1, True)
    ran = command("lock", "ours", "--no-registry")
    assert (ran.status, ran.ids) == (0, ["W9109"])
    assert command("validate", "ours").status == 0


def test_placeholders_and_credentials_of_another_account_are_refused(command: Command, project: Path) -> None:
    ran = command("lock", "dev-inf2")
    assert (ran.status, ran.ids) == (1, ["E9502"])
    assert not in_environments(project, "dev-inf2").exists()
    ran = command("lock", "ours", account=OTHER)
    assert (ran.status, ran.ids) == (1, ["E9501"])
    assert ran.document["findings"][0]["line"]


def test_a_registry_out_of_reach_is_a_warning_and_the_digest_is_null(
    command: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{listener.getsockname()[1]}")
    ran = command("lock", "ours")
    assert ran.status == 0
    assert set(ran.ids) == {"W9108"}
    finding = ran.document["findings"][0]
    assert "does not respond" in finding["message"]
    assert "run it again where the registry can be reached, or accept it" in finding["hint"]
    text = in_environments(project).read_text()
    assert "# oci://public.ecr.aws/neuron/neuron-helm-chart; registry lookup failed\n    digest: null\n" in text
    assert command("lock", "ours", "--check").status == 0


def test_an_interruption_leaves_no_lock(project: Path, local_aws: LocalAws) -> None:
    """AWS is played by a server that takes the connection and never answers."""
    in_environments(project).unlink(missing_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        variables = {**os.environ, **local_aws.environment(OWN, REGION)}
        variables["AWS_ENDPOINT_URL"] = f"http://127.0.0.1:{silent.getsockname()[1]}"
        arguments = [sys.executable, "-m", "neuron_cluster.cli.main", "lock", "ours", "--project", str(project)]
        with subprocess.Popen(
            arguments, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as asking:
            try:
                connection, _ = silent.accept()
                with connection:
                    asking.send_signal(signal.SIGTERM)  # as Ctrl-C, which a test in the background would not get
                    out, err = asking.communicate(timeout=60)
            finally:
                asking.kill()
    assert (asking.returncode, out) == (128 + signal.SIGTERM, "")
    assert err.endswith("interrupted\n")
    assert "Traceback" not in err
    folder = in_environments(project).parent
    assert not folder.exists() or [left.name for left in folder.iterdir() if "ours" in left.name] == []


def test_templates_carry_the_lock_and_the_same_lock_gives_the_same_bytes(
    command: Command, project: Path, tmp_path: Path
) -> None:
    for name in ("dev-inf2", "workstation"):
        assert command("lock", name, "--local").status == 0
    locks = local_locks(project)
    lock, stations = read(lock_path(locks, "dev-inf2")), read(lock_path(locks, "workstation"))
    assert made(project, "dev-inf2", tmp_path / "cluster")
    cluster = pinned(tmp_path / "cluster")
    assert cluster["ReleaseVersion"] == {row.release_version for row in lock.ami_releases.values()}
    assert cluster["AddonVersion"] == set(lock.addons.values())
    first, second = ({p.name: p.read_bytes() for p in made(project, "workstation", tmp_path / turn)} for turn in "ab")
    assert first
    assert first == second
    assert pinned(tmp_path / "a")["ImageId"] == {row.image_id for row in stations.dlamis.values()}
    assert {row.root_volume_gib for row in stations.dlamis.values()} == {50}


def made(project: Path, name: str, folder: Path) -> list[Path]:
    """The templates of an environment with its local lock."""
    synthesize(project, name, folder, local_locks(project))
    return sorted(folder.glob("*.template.json"))


def pinned(assembly: Path) -> dict[str, set[Any]]:
    """Values of the properties that a lock decides, in all templates."""
    templates = [stack.template for stack in read_assembly(assembly)]
    properties = [row.get("Properties", {}) for template in templates for row in template["Resources"].values()]
    images = [row["LaunchTemplateData"].get("ImageId") for row in properties if "LaunchTemplateData" in row]
    return {
        "ReleaseVersion": {row["ReleaseVersion"] for row in properties if "ReleaseVersion" in row},
        "AddonVersion": {row["AddonVersion"] for row in properties if "AddonVersion" in row},
        "ImageId": {image for image in images if image},
    }


@pytest.mark.exhaustive
def test_it_deploys_with_the_local_lock_and_moving_the_lock_rolls_the_nodes(
    command: Command, project: Path, local_aws: LocalAws
) -> None:
    """`test_everyday_edits.py` has it for a lock that moves with the cluster."""
    assert command("lock", "dev-inf2", "--local").status == 0
    path = lock_path(local_locks(project), "dev-inf2")
    lock = read(path)
    built = command("deploy", "--local", "dev-inf2")
    assert built.status == 0
    target = LocalTarget(REGION, PLACEHOLDER, local_aws.endpoint)
    eks = client(target, "eks")
    names = eks.list_nodegroups(clusterName="dev-inf2")["nodegroups"]
    groups = [eks.describe_nodegroup(clusterName="dev-inf2", nodegroupName=name)["nodegroup"] for name in names]
    assert {group["releaseVersion"] for group in groups} == {
        release.release_version for release in lock.ami_releases.values()
    }
    for name, version in lock.addons.items():
        assert eks.describe_addon(clusterName="dev-inf2", addonName=name)["addon"]["addonVersion"] == version
    assert command("diff", "dev-inf2", "--local").document["is_different"] is False

    newer = {name: LockedAmiRelease("1.35.7-20260901", release.image_id) for name, release in lock.ami_releases.items()}
    put(path, structs.replace(lock, ami_releases=newer))
    moved = command("diff", "dev-inf2", "--local")
    assert moved.status == 0
    assert {(change["group"], change["kind"]) for change in moved.document["nodes"]} == {
        ("system", "rolled"),
        ("inf2", "rolled"),
    }
    changed = [stack["stack"] for stack in moved.document["stacks"] if stack["state"] != "unchanged"]
    assert changed == ["dev-inf2-system", "dev-inf2-nodes"]
    again = command("deploy", "--local", "dev-inf2")
    assert [stack["name"] for stack in again.document["stacks"] if stack["changed"]] == changed
    groups = [eks.describe_nodegroup(clusterName="dev-inf2", nodegroupName=name)["nodegroup"] for name in names]
    assert {group["releaseVersion"] for group in groups} == {"1.35.7-20260901"}
    close_clients(target)


def test_the_hint_about_a_permission_set_pins_its_role_and_a_check_finds_a_new_one(
    command: Command, project: Path, local_aws: LocalAws, tmp_path: Path
) -> None:
    teams = [team("research", members=[], permission_sets=["Research"])]
    text = written_with_teams(tmp_path, teams).read_text().replace(PLACEHOLDER, OWN)
    (project / "environments" / "shared.yaml").write_text(text.replace("name: train-trn1", "name: shared"))
    folder = f"arn:aws:iam::{OWN}:role/aws-reserved/sso.amazonaws.com"
    first, second = (f"{folder}/AWSReservedSSO_Research_{suffix * 8}" for suffix in ("0a", "1b"))
    make_principals(local_aws.endpoint, REGION, [first])
    follow_hint(command, "shared", "W2080")
    assert read(in_environments(project, "shared")).permission_sets == {"Research": first}
    client(LocalTarget(REGION, OWN, local_aws.endpoint), "iam").delete_role(RoleName=first.rpartition("/")[2])
    make_principals(local_aws.endpoint, REGION, [second])
    checked = command("lock", "shared", "--check", "--no-registry")
    (change,) = checked.document["changes"]
    assert (checked.status, change["before"], change["after"]) == (1, first, second)
