"""Documents of Image Builder: in the form that AWSTOE reads; their scripts verify what they install."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.image.component import SCRIPTS, Component
from neuron_cluster.image.recipe import ROOT_VOLUME, software_version
from neuron_cluster.providers.pcs.image.recipe import SCRIPT, slurm_recipe
from neuron_cluster.schedulers.slurm.image import additions
from neuron_cluster.schedulers.slurm.image.image_plan import SlurmImagePlan
from neuron_cluster.schedulers.slurm.node_files import node_files, slurm_scripts
from neuron_cluster.schedulers.slurm.node_settings import node_settings

CATALOG = load_catalog()

SHELLCHECK = Path(sys.executable).parent / "shellcheck"
IMAGE = SlurmImagePlan(
    environment="slurm-trn1",
    region="us-west-2",
    dlami="base_ubuntu_24_04",
    parent="ami-0abc0abc0abc0abc0",
    operating_system="Ubuntu 24.04",
    root_device_name="/dev/sda1",
    slurm_version="25.11",
    software={"pcs_agent": "1.5.1-1", "slurm_25_11": "25.11.8-1", "enroot": "4.2.1-1", "pyxis_25_11": "0.24.0"},
    has_lustre=True,
    instance_type="m7i.xlarge",
    zone_id="usw2-az4",
)
NAMES = ("prepare", "agent", "scheduler", "lustre", "containers", "scripts", "checks", "tests")
MAX_DATA = 16_000
"""The length of Data of AWS::ImageBuilder::Component, in CloudFormation's schema."""


def components(image: SlurmImagePlan) -> tuple[Component, ...]:
    return slurm_recipe(image, CATALOG).components


def recipe_version(image: SlurmImagePlan) -> str:
    return slurm_recipe(image, CATALOG).version


def document(component: Component) -> dict[str, Any]:
    return dict(json.loads(component.text))


def script(name: str, image: SlurmImagePlan = IMAGE) -> str:
    found = next(each for each in components(image) if each.name.endswith(f"-{name}"))
    (command,) = document(found)["phases"][0]["steps"][0]["inputs"]["commands"]
    return str(command)


def run(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "TMPDIR": str(folder)}
    return subprocess.run(
        ["/bin/bash", "-c", text], env=environment, cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )


def test_the_ami_is_checked_before_it_is_made_and_on_an_instance_of_it() -> None:
    """A page of Image Builder says that a component runs in the test stage only if it has no other phase."""
    assert script("checks") == script("tests")


def test_components_install_in_order_and_check_at_the_end() -> None:
    assert [each.name for each in components(IMAGE)] == [f"slurm-trn1-slurm-{name}" for name in NAMES]


@pytest.mark.parametrize("name", NAMES)
def test_a_document_has_the_form_that_image_builder_reads(name: str) -> None:
    found = next(each for each in components(IMAGE) if each.name.endswith(f"-{name}"))
    read = document(found)
    assert set(read) == {"description", "schemaVersion", "phases"}
    assert '"schemaVersion": 1.0,' in found.text
    (phase,) = read["phases"]
    assert phase["name"] == {"checks": "validate", "tests": "test"}.get(name, "build")
    for step in phase["steps"]:
        assert (step["action"], step["onFailure"]) == ("ExecuteBash", "Abort")
        assert set(step["inputs"]) == {"commands"}
    assert len(found.text) <= MAX_DATA
    assert "{{" not in found.text, "AWSTOE would replace it"
    assert re.fullmatch(r"1\.0\.\d{1,10}", found.version)
    assert int(found.version.rpartition(".")[2]) < 2**30


@pytest.mark.parametrize("name", NAMES)
def test_shellcheck_finds_nothing_in_a_script(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.sh"
    file.write_text(f"#!/bin/bash\n{script(name)}", encoding="utf-8")
    assert subprocess.run(["/bin/bash", "-n", file], check=False).returncode == 0
    command: list[str | Path] = [SHELLCHECK, "--shell=bash", "--enable=quote-safe-variables", "--format=gcc", file]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.stdout + ran.stderr == ""


def test_each_script_of_the_folders_is_in_a_component() -> None:
    image = replace(IMAGE, efs_package="amazon-efs-utils")
    whole = "".join(script(name, image) for name in (*NAMES, "efs"))
    for path in (*SCRIPTS.glob("*.sh"), *SCRIPT.parent.glob("*.sh")):
        assert path.read_text(encoding="utf-8") in whole, path.name
    for path in Path(additions.__file__).parent.glob("*.sh"):
        for text in re.split(r"@[A-Z]+@\n?", path.read_text(encoding="utf-8")):
            assert text in whole, path.name
    assert not re.search(r"@[A-Z]+@", whole), "a place of a script that nothing was put in"


def test_versions_change_with_what_is_installed_and_the_recipe_with_its_parent() -> None:
    other = replace(IMAGE, region="eu-west-1")
    changed = [a.name for a, b in zip(components(IMAGE), components(other), strict=True) if a.version != b.version]
    assert changed == ["slurm-trn1-slurm-agent", "slurm-trn1-slurm-scheduler"]
    versions = {recipe_version(each) for each in (IMAGE, other, replace(IMAGE, parent="ami-0def0def0def0def0"))}
    assert len(versions) == 3


def test_an_image_without_containers_has_no_such_component_and_does_not_check_them() -> None:
    plain = replace(IMAGE, software={"pcs_agent": "1.5.1-1", "slurm_25_11": "25.11.8-1"})
    assert [each.name.rpartition("-")[2] for each in components(plain)] == [n for n in NAMES if n != "containers"]
    assert "WITH_CONTAINERS=no" in script("checks", plain)
    assert "WITH_CONTAINERS=yes" in script("checks")


def test_the_efs_mount_helper_is_installed_if_it_is_a_package_and_checked_if_needed() -> None:
    with_package = replace(IMAGE, operating_system="Amazon Linux 2023", efs_package="amazon-efs-utils")
    assert "efs" in [each.name.rpartition("-")[2] for each in components(with_package)]
    assert "PACKAGE=amazon-efs-utils\n" in script("efs", with_package)
    assert "WITH_EFS=yes" in script("checks", with_package)
    assert "efs" not in [each.name.rpartition("-")[2] for each in components(IMAGE)]
    assert "WITH_EFS=no" in script("checks")
    assert "WITH_EFS=yes" in script("checks", replace(IMAGE, needs_efs=True)), "else each node would end at its start"


def test_pyxis_is_built_for_the_slurm_version_of_the_image() -> None:
    text = script("containers")
    assert "SLURM_VERSION=25.11\n" in text
    assert "/pyxis/archive/107519944221822ea1dace4db8e7234b2eaa4cd5.tar.gz" in text, "the commit of the tag v0.24.0"


def test_the_ami_has_the_scripts_that_the_start_of_a_node_writes_again(tmp_path: Path) -> None:
    text = script("scripts").replace("/opt/neuron-cluster", str(tmp_path))
    assert run(text, tmp_path).stderr == ""
    written = {f"slurm/{path.name}": path for path in (tmp_path / "slurm").iterdir()}
    settings = node_settings(CATALOG.instance_types["trn2.48xlarge"], slurm_commands="/usr/bin")
    of_node = {name: text for name, text in node_files(settings).items() if name.startswith("slurm/")}
    assert of_node.keys() - written.keys() == {"slurm/node.conf"}
    for name, path in written.items():
        assert path.read_text(encoding="utf-8") == of_node[name]
        assert path.stat().st_mode & 0o777 == (0o755 if of_node[name].startswith("#!") else 0o644)


def test_another_script_changes_the_last_number_of_the_recipe_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node has the newer script without another AMI."""
    before = recipe_version(IMAGE)
    other = {**slurm_scripts(), "slurm/prolog.sh": "#!/bin/bash\n"}
    monkeypatch.setattr("neuron_cluster.schedulers.slurm.image.additions.slurm_scripts", lambda: other)
    assert recipe_version(IMAGE) != before
    assert software_version(recipe_version(IMAGE)) == software_version(before)
    of_newer_parent = recipe_version(replace(IMAGE, parent="ami-0def0def0def0def0"))
    assert software_version(of_newer_parent) != software_version(before)


@pytest.mark.parametrize("volume", ["volume_type", "encrypted"])
def test_another_root_volume_is_another_recipe(volume: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Image Builder keeps a recipe as it is: an update with the name and version of one that exists fails."""
    before = recipe_version(IMAGE)
    monkeypatch.setitem(ROOT_VOLUME, volume, "other")
    assert software_version(recipe_version(IMAGE)) != software_version(before)


@pytest.mark.parametrize(("status", "is_installed"), [(0, False), (1, True)])
def test_a_python_for_the_programs_of_jobs_is_installed_where_the_system_has_none(
    status: int, is_installed: bool, tmp_path: Path
) -> None:
    """``status``: of the question whether python3 is new enough; on an operating system with DNF."""
    functions = f'python3() {{ return {status}; }}\ndnf() {{ echo "$*"; }}\n'
    ran = run(functions + script("prepare").replace("command -v apt-get", "false"), tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ("install python3.11\n" in ran.stdout) is is_installed


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a signed archive, the key that signs it, and its fingerprint."""
    folder = tmp_path_factory.mktemp("published")
    home = Path(tempfile.mkdtemp(prefix="gpg-"))

    def gpg(*arguments: str | Path) -> str:
        command = ["gpg", "--batch", "--homedir", home, "--pinentry-mode", "loopback", "--passphrase", "", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout

    source = folder / "product"
    source.mkdir()
    installer = source / "installer.sh"
    installer.write_text('#!/bin/bash\necho "installed $*" >"$TMPDIR/version"\n', encoding="utf-8")
    installer.chmod(0o755)
    with tarfile.open(folder / "product.tar.gz", "w:gz") as archive:
        archive.add(source, "product")
    gpg("--quick-generate-key", "Test <test@example.com>", "rsa2048", "sign")
    gpg("--detach-sign", "--output", folder / "product.tar.gz.sig", folder / "product.tar.gz")
    gpg("--export", "--output", folder / "key.pub")
    fingerprint = next(
        line.split(":")[9] for line in gpg("--with-colons", "--fingerprint").splitlines() if line.startswith("fpr")
    )
    (folder / "fingerprint").write_text(fingerprint, encoding="ascii")
    yield folder
    subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], check=False)
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder with a short path, as on a machine: that of the socket of gpg-agent has 107 bytes at most."""
    with tempfile.TemporaryDirectory(prefix="image-") as folder:
        yield Path(folder)


def installer(published: Path, short: Path, archive: str = "product.tar.gz", fingerprint: str | None = None) -> str:
    given = {
        "URL": f"file://{published / archive}",
        "SIGNING_KEY": f"file://{published / 'key.pub'}",
        "FINGERPRINT": fingerprint or (published / "fingerprint").read_text(encoding="ascii"),
        "FOLDER": "product",
        "ARGUMENTS": "-y",
        "VERSION_FILE": str(short / "version"),
    }
    text = script("agent")
    for key, value in given.items():
        text = re.sub(rf"^{key}=.*$", f"{key}='{value}'", text, count=1, flags=re.MULTILINE)
    return text


def test_a_signed_archive_is_installed(published: Path, short: Path) -> None:
    ran = run(installer(published, short), short)
    assert (ran.returncode, ran.stdout) == (0, "installed -y\n"), ran.stderr


def test_an_archive_that_was_changed_is_not_installed(published: Path, short: Path) -> None:
    (published / "changed.tar.gz").write_bytes((published / "product.tar.gz").read_bytes() + b"\0")
    (published / "changed.tar.gz.sig").write_bytes((published / "product.tar.gz.sig").read_bytes())
    ran = run(installer(published, short, "changed.tar.gz"), short)
    assert ran.returncode == 1
    assert "changed.tar.gz is not signed by" in ran.stderr
    assert not (short / "version").exists()


def test_an_archive_that_another_key_signs_is_not_installed(published: Path, short: Path) -> None:
    expected = CATALOG.slurm_software["pcs_agent"].files[0].fingerprint
    ran = run(installer(published, short, fingerprint=expected), short)
    assert ran.returncode == 1
    assert f"is not signed by {expected}" in ran.stderr
    assert not (short / "version").exists()


def test_nothing_is_left_of_a_download(published: Path, short: Path) -> None:
    assert run(installer(published, short), short).returncode == 0
    assert [path.name for path in short.iterdir()] == ["version"]


def test_a_checksum_that_differs_stops_the_installation(short: Path) -> None:
    """The function that verifies packages without a signature, wherever the catalog has a checksum."""
    function = re.search(r"^checked\(\) \{\n.*?^\}\n", script("containers"), re.MULTILINE | re.DOTALL)
    assert function is not None
    (short / "package").write_text("content", encoding="ascii")
    text = f"set -euo pipefail\n{function[0]}checked package CHECKSUM\necho accepted\n"
    right = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"
    assert run(text.replace("CHECKSUM", right), short).stdout == "accepted\n"
    assert run(text.replace("CHECKSUM", "-"), short).stdout == "accepted\n"
    assert run(text.replace("CHECKSUM", right[::-1]), short).returncode != 0


def with_programs(folder: Path, text: str, **programs: str) -> subprocess.CompletedProcess[str]:
    """Runs a script with programs that note their calls in ``calls``; it writes to ``etc`` of the folder."""
    for name in ("bash", "grep", "mkdir", "mktemp", "rm", "uname"):
        (folder / name).symlink_to(str(shutil.which(name)))
    (folder / "python3").symlink_to(sys.executable)
    for name, body in {"sleep": "", "systemctl": "", **programs}.items():
        path = folder / name.replace("_", "-")
        path.write_text(f'#!/bin/bash\necho "{path.name} $*" >>{folder}/calls\n{body}', encoding="utf-8")
        path.chmod(0o755)
    return run(f"PATH={folder}\n{text.replace('/etc/', f'{folder}/etc/')}", folder)


def calls(folder: Path) -> list[str]:
    return (folder / "calls").read_text(encoding="utf-8").splitlines()


def test_an_update_of_package_lists_that_runs_is_waited_for(tmp_path: Path) -> None:
    """apt-get update has no time-out for the lock of package lists, which Ubuntu holds after the first boot."""
    busy = f"if [[ $* == *update ]] && (($(grep -c update {tmp_path}/calls) < 3)); then exit 100; fi\n"
    ran = with_programs(tmp_path, script("prepare"), apt_get=busy)
    assert ran.returncode == 0, ran.stderr
    assert [line.split()[0] for line in calls(tmp_path)[-6:]] == [*["apt-get", "sleep"] * 2, "apt-get", "apt-get"]
    assert calls(tmp_path)[-1].endswith("--yes install gcc make gnupg tar")


def test_upgrades_of_ubuntu_do_not_run_beside_installers(tmp_path: Path) -> None:
    """Installers of PCS call APT without a time-out."""
    assert with_programs(tmp_path, script("prepare"), apt_get="", systemctl="exit 5\n").returncode == 0
    assert calls(tmp_path)[0] == (
        "systemctl stop apt-daily.timer apt-daily-upgrade.timer apt-daily.service apt-daily-upgrade.service"
    )


@pytest.mark.parametrize(
    ("programs", "installed"),
    [
        ({"dnf": "", "gpg": ""}, ["gcc make tar"]),
        ({"dnf": ""}, ["gcc make tar", "gnupg2"]),
    ],
    ids=["gnupg2-minimal", "without gpg"],
)
def test_gpg_of_amazon_linux_stays(tmp_path: Path, programs: dict[str, str], installed: list[str]) -> None:
    """It is in gnupg2-minimal; no package is called gnupg."""
    assert with_programs(tmp_path, script("prepare"), **programs).returncode == 0
    assert calls(tmp_path) == [f"dnf --quiet --assumeyes install {packages}" for packages in installed]


def test_a_download_whose_connection_ends_is_repeated(short: Path) -> None:
    """curl repeats what a server answers, and without an option nothing else."""
    seen: list[str] = []

    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            if len(seen) > 1:
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"ok")

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        functions = (SCRIPTS / "packages.sh").read_text(encoding="utf-8").replace("--retry-delay 5", "--retry-delay 1")
        ran = run(f"{functions}download http://127.0.0.1:{server.server_port}/file found\ncat found\n", short)
        server.shutdown()
    assert (ran.stdout, seen) == ("ok", ["/file", "/file"]), ran.stderr


@pytest.mark.parametrize("needs_lustre", [True, False])
def test_a_kernel_without_lustre_client_stops_a_build_that_needs_it(tmp_path: Path, *, needs_lustre: bool) -> None:
    """FSx has the client for some kernels, and a Deep Learning AMI may have a newer one."""
    sources = tmp_path / "etc" / "apt" / "sources.list.d"
    sources.mkdir(parents=True)
    image = replace(IMAGE, needs_lustre=needs_lustre)
    programs = {"apt_get": "if [[ $* == *install* ]]; then exit 100; fi\n", "modprobe": "exit 1\n", "curl": ""}
    ran = with_programs(tmp_path, script("lustre", image), apt_mark="", **programs)
    message = f"no Lustre client for kernel {os.uname().release}"
    assert (ran.returncode == 0, message in ran.stderr) == (not needs_lustre, True)
    assert list(sources.iterdir()) == [], "of no use to a node"
    assert f"WITH_LUSTRE={'yes' if needs_lustre else 'no'}" in script("checks", image)


def test_packages_of_enroot_have_checksums_and_sources_are_of_a_commit() -> None:
    text = script("containers")
    (checksums,) = re.findall(r"^PACKAGE_SHA256='(.*)'$", text, re.MULTILINE)
    assert [len(each) for each in checksums.split()] == [64, 64]
    for row in (each for name, each in CATALOG.slurm_software.by_name.items() if name.startswith("pyxis")):
        assert all(re.search(r"/archive/[0-9a-f]{40}\.tar\.gz$", file.url) for file in row.files)
