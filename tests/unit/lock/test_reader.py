"""Reading locks: every way in which one can be broken is a finding with its line, and says what to run."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

import pytest
from finding_words import unsaid
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.lock.finding_specs import ROWS
from neuron_cluster.lock.model import Lock, LockedAmiRelease, LockedArtifact, LockedNetwork, LockedSubnet
from neuron_cluster.lock.reader import load_lock, require_readable
from neuron_cluster.lock.tree import CHECKSUM, checksum
from neuron_cluster.lock.writer import lock_text

AGAIN = "neuron-cluster lock dev-inf2"
WANTED = {"environment": "dev-inf2", "account": "111122223333", "region": "us-west-2"}

WHOLE = lock_text(
    Lock(
        environment="dev-inf2",
        account="111122223333",
        region="us-west-2",
        kubernetes_version="1.35",
        ami_releases={"AL2023_x86_64_NEURON": LockedAmiRelease("1.35.6-20260714", "ami-0123456789abcdef1")},
        addons={"vpc-cni": "v1.22.4-eksbuild.3", "coredns": "v1.14.2-eksbuild.4"},
        charts={"neuron-helm-chart": LockedArtifact("1.10.0", None)},
    ),
    {("addons", "coredns"): "eks:DescribeAddonVersions"},
    AGAIN,
)


def loaded(data: str | bytes, folder: Path, wanted: dict[str, str] | None = None):
    path = folder / "dev-inf2.yaml"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return load_lock(path, display_name="locks/dev-inf2.yaml", again=AGAIN, wanted=wanted)


def sealed(text: str) -> str:
    """The text with a checksum that fits, as another release or tool might have written it."""
    from neuron_cluster.config.document import read_document

    body = text.partition(f"{CHECKSUM}:")[0]
    return f'{body}{CHECKSUM}: "{checksum(read_document(body, "").tree)}"\n'


def test_no_file_is_no_lock_and_no_finding(tmp_path: Path) -> None:
    assert load_lock(tmp_path / "none.yaml", display_name="none.yaml", again=AGAIN).findings == ()


def test_the_whole_lock_is_read_with_other_line_ends_and_comments(tmp_path: Path) -> None:
    whole = loaded(WHOLE, tmp_path, WANTED)
    assert whole.lock is not None
    commented = "# ours\r\n" + WHOLE.replace("\n", "\r\n")
    assert loaded(commented, tmp_path, WANTED) == whole


BROKEN = {
    "empty": ("", "E9103", 0, "truncated"),
    "blank": ("\n\n", "E9103", 0, "truncated"),
    "without its last line": (WHOLE[: WHOLE.index(f"{CHECKSUM}:")], "E9103", 19, "truncated"),
    "within its last line": (WHOLE[:-20], "E9103", 21, "truncated"),
    "within an entry": (WHOLE[: WHOLE.index("ami-01234")], "E9103", 10, "truncated"),
    "edited": (WHOLE.replace("20260714", "20260101"), "E9104", 21, "was edited"),
    "an entry removed": (re.sub(r"  vpc-cni.*\n", "", WHOLE), "E9104", 20, "was edited"),
    "an entry added": (WHOLE.replace("addons:\n", 'addons:\n  a: "v1"\n'), "E9104", 22, "was edited"),
    "newer": (WHOLE.replace("format: 1", "format: 2"), "E9105", 3, "written by a newer release"),
    "newer and with other keys": ("format: 7\nmachines: []\n", "E9105", 1, "written by a newer release"),
    "format of words": (WHOLE.replace("format: 1", "format: one"), "E9105", 3, "the format 'one'"),
    "no format": (WHOLE.replace("format: 1\n", ""), "E9105", 3, "has no format"),
    "a list": ("- format: 1\n", "E9102", 1, "is not a lock"),
    "a word": ("format\n", "E9102", 1, "is not a lock"),
    "conflict marks": (f"<<<<<<< ours\n{WHOLE}=======\n", "E9102", 1, "a merge conflict"),
    "a key twice": (WHOLE.replace("addons:\n", 'addons:\n  coredns: "v1"\n'), "E9102", 15, "duplicate key coredns"),
    "bytes that are no text": (WHOLE.encode()[:30] + b"\xff\xfe" + WHOLE.encode()[30:], "E9102", 1, "not text"),
    "a NUL": (WHOLE.replace("us-west-2", "us\0west"), "E9102", 6, "not text"),
    "too large": (WHOLE + "#" * 2_000_000, "E9101", 0, "larger than 1,024 KiB"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_lock_is_one_finding_at_its_line(name: str, tmp_path: Path) -> None:
    data, finding_id, line, says = BROKEN[name]
    found = loaded(data, tmp_path, WANTED)
    assert found.lock is None
    (finding,) = found.findings
    assert (finding.id, finding.location.file, finding.location.line) == (finding_id, "locks/dev-inf2.yaml", line)
    assert says in finding.message
    assert AGAIN in finding.hint


def test_a_newer_lock_says_to_upgrade_first(tmp_path: Path) -> None:
    (finding,) = loaded(WHOLE.replace("format: 1", "format: 2"), tmp_path).findings
    assert "reads format 1" in finding.message
    assert finding.hint.startswith("upgrade the toolkit, or run")


FOREIGN = {
    "environment": ("dev-inf2", "train-trn1", 4),
    "account": ("111122223333", "444455556666", 5),
    "region": ("us-west-2", "eu-west-1", 6),
}


@pytest.mark.parametrize("key", FOREIGN)
def test_a_lock_of_another_environment_account_or_region_names_both(key: str, tmp_path: Path) -> None:
    own, other, line = FOREIGN[key]
    (finding,) = loaded(sealed(WHOLE.replace(f'{key}: "{own}"', f'{key}: "{other}"')), tmp_path, WANTED).findings
    assert (finding.id, finding.location.line, finding.location.path) == ("E9106", line, key)
    assert other in finding.message
    assert own in finding.message


NEURON = "ami_releases.AL2023_x86_64_NEURON"
ADDONS = WHOLE[WHOLE.index("addons:") : WHOLE.index("charts:")]
NETWORK = """\
network:
  vpc_id: "vpc-0123456789abcdef0"
  cidrs: "10.0.0.0/16 10.1.0.0/16"
  endpoints: "ecr.api s3"
  subnets:
    subnet-01234567: {availability_zone: "usw2-az1", cidr: "10.0.32.0/19", route: "nat"}
charts:"""
SUBNET = "network.subnets.subnet-01234567"


def with_network(old: str, new: str, path: str, says: str) -> tuple[str, str, str, str]:
    """A lock of an existing VPC, with another value in it."""
    assert old in NETWORK
    return "charts:", NETWORK.replace(old, new), path, says


def test_a_vpc_that_exists_is_read_as_it_is_written(tmp_path: Path) -> None:
    subnets = {"subnet-01234567": LockedSubnet("usw2-az1", "10.0.32.0/19", "nat")}
    network = LockedNetwork("vpc-0123456789abcdef0", ("10.0.0.0/16", "10.1.0.0/16"), ("ecr.api", "s3"), subnets)
    lock = Lock("dev-inf2", "111122223333", "us-west-2", "1.35", network=network)
    assert loaded(lock_text(lock, {}, AGAIN), tmp_path, WANTED).lock == lock
    without = replace(lock, network=replace(network, endpoints=()))
    assert loaded(lock_text(without, {}, AGAIN), tmp_path, WANTED).lock == without
    assert loaded(sealed(WHOLE.replace("charts:", NETWORK)), tmp_path, WANTED).lock is not None


ROLE = "arn:aws:iam::111122223333:role/Guests"
SSO_ROLE = (
    "arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/eu-west-1/AWSReservedSSO_Research_0123456789abcdef"
)
GUESTS = "permission_sets.Guests"


def guests(role: str) -> str:
    """The section before the charts of a lock."""
    return f'permission_sets: {{Guests: "{role}"}}\ncharts:'


def slurm_image(**values: str) -> str:
    """The section before the charts of a lock."""
    whole = {
        "image_id": "ami-0123456789abcdef3",
        "parent": "ami-0123456789abcdef2",
        "dlami": "base_ubuntu_24_04",
        "slurm_version": "25.11",
        "agent_version": "1.5.1-1",
        "recipe_version": "1.0.7",
    }
    return f"slurm_image: {json.dumps(whole | values)}\ncharts:"


def test_roles_of_permission_sets_are_read_as_they_are_written(tmp_path: Path) -> None:
    without_region = SSO_ROLE.replace("eu-west-1/", "").replace("Research", "Re+s.e@r,c=h_2")
    roles = {"Research": SSO_ROLE, "Re+s.e@r,c=h_2": without_region}
    lock = Lock("dev-inf2", "111122223333", "us-west-2", "1.35", permission_sets=roles)
    assert loaded(lock_text(lock, {}, AGAIN), tmp_path, WANTED).lock == lock


ROOT_SIZE = "amis.ami-01234567.root_volume_gib"
ODD = {
    "unknown key": ('region: "us-west-2"', 'region: "us-west-2"\nzone: "a"', "zone", "the key 'zone' is not"),
    "unknown key of a row": ("    image_id", "    id: x\n    image_id", f"{NEURON}.id", "the key 'id' is not"),
    "key missing": ('region: "us-west-2"\n', "", "", "the key region is missing"),
    "list for text": ('region: "us-west-2"', "region: [us-west-2]", "region", "a value that is not text where a name"),
    "text for section": (ADDONS, "addons: none\n", "addons", "a mapping is expected"),
    "no account": ("111122223333", "11112222333", "account", "twelve digits"),
    "no Kubernetes": ('version: "1.35"', 'version: "one"', "kubernetes_version", "a Kubernetes version"),
    "no image": ("ami-0123456789abcdef1", "ami-xyz", f"{NEURON}.image_id", "an AMI id"),
    "no name": ("charts:", 'dlamis: {base: {name: "é"}}\ncharts:', "dlamis.base.name", "the name of an AMI"),
    "no size": ("charts:", 'amis: {ami-01234567: {root_volume_gib: "0"}}\ncharts:', ROOT_SIZE, "a size in GiB"),
    "no AMI": ("charts:", 'amis: {ami-x: {root_volume_gib: "75"}}\ncharts:', "amis.ami-x", "an AMI id"),
    "no release": ("1.35.6-20260714", "latest", f"{NEURON}.release_version", "AMI release"),
    "no digest": ("digest: null", 'digest: "sha256:0"', "charts.neuron-helm-chart.digest", "a digest"),
    "no metadata": ("charts:", 'storage: {lustre_metadata: "on"}\ncharts:', "storage.lustre_metadata", "or none"),
    "other permission set": ("charts:", guests(SSO_ROLE), GUESTS, "of the permission set Guests"),
    "role of no permission set": ("charts:", guests(ROLE), GUESTS, "of the permission set Guests"),
    "no role": ("charts:", "permission_sets: {Guests: null}\ncharts:", GUESTS, "the ARN of a role"),
    "no image id": ("charts:", slurm_image(image_id="ami-x"), "slurm_image.image_id", "an AMI id"),
    "no Slurm version": ("charts:", slurm_image(slurm_version="25 11"), "slurm_image.slurm_version", "a version"),
    "no kind": ("charts:", slurm_image(dlami="base ubuntu"), "slurm_image.dlami", "a name"),
    "no parent": ("charts:", slurm_image().replace("parent", "base"), "slurm_image", "the key parent is missing"),
    "no VPC": with_network("vpc-0123456789abcdef0", "vpc-x", "network.vpc_id", "a VPC id"),
    "no subnet": with_network("subnet-01234567:", "subnet-x:", "network.subnets.subnet-x", "a subnet id"),
    "no zone": with_network("usw2-az1", "us-west-2a", f"{SUBNET}.availability_zone", "a zone id"),
    "no range": with_network('"10.0.32.0/19"', '"10.0.32.0"', f"{SUBNET}.cidr", "a CIDR block"),
    "no ranges": with_network("10.0.0.0/16 10.1.0.0/16", "10.0.0.0/16, 10.1.0.0/16", "network.cidrs", "CIDR blocks"),
    "no network": with_network('"10.0.32.0/19"', '"10.0.32.1/19"', f"{SUBNET}.cidr", "is not an IPv4 network"),
    "no services": with_network("ecr.api s3", "ecr.api,s3", "network.endpoints", "endpoint services"),
    "no route": with_network('route: "nat"', 'route: "igw"', f"{SUBNET}.route", "nat, internet_gateway"),
    "version with control character": ("v1.14.2", "v1\\e[31m", "addons.coredns", "\\x1b[31m"),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_a_key_or_value_of_another_form_is_found_although_the_checksum_fits(name: str, tmp_path: Path) -> None:
    old, new, path, says = ODD[name]
    assert old in WHOLE
    found = loaded(sealed(WHOLE.replace(old, new)), tmp_path)
    assert found.lock is None
    assert {finding.id for finding in found.findings} == {"E9107"}
    finding = next(finding for finding in found.findings if says in finding.message)
    assert finding.location.path == path
    assert finding.message.isprintable()


def test_a_folder_and_a_dangling_link_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "folder.yaml").mkdir()
    (finding,) = load_lock(tmp_path / "folder.yaml", display_name="it", again=AGAIN).findings
    assert (finding.id, finding.message) == ("E9101", "is not a file")
    (tmp_path / "link.yaml").symlink_to(tmp_path / "gone.yaml")
    (finding,) = load_lock(tmp_path / "link.yaml", display_name="it", again=AGAIN).findings
    assert finding.id == "E9101"


def test_nothing_that_can_be_said_of_a_lock_is_left_out(tmp_path: Path) -> None:
    """tests/integ/test_lock_on_local_aws.py follows each hint."""
    found = [each for data, *_ in BROKEN.values() for each in loaded(data, tmp_path, WANTED).findings]
    for key, (own, other, _) in FOREIGN.items():
        found += loaded(sealed(WHOLE.replace(f'{key}: "{own}"', f'{key}: "{other}"')), tmp_path, WANTED).findings
    for old, new, *_ in ODD.values():
        found += loaded(sealed(WHOLE.replace(old, new)), tmp_path).findings
    (tmp_path / "folder.yaml").mkdir()
    for name in ("link", "around"):
        (tmp_path / f"{name}.yaml").symlink_to(tmp_path / ("gone.yaml" if name == "link" else "around.yaml"))
    for name in ("folder", "link", "around"):
        found += load_lock(tmp_path / f"{name}.yaml", display_name="it", again=AGAIN).findings
    with pytest.raises(InvalidEnvironment) as caught:
        require_readable(sealed(WHOLE.replace("ami-0123456789abcdef1", "ami-xyz")), display_name="it")
    found += caught.value.findings
    assert {each.id for each in found} == ROWS.keys() - {"W9108", "W9109"}
    sources = ("neuron_cluster/lock/reader.py", "neuron_cluster/lock/shape.py")
    assert unsaid(sources, (f"{each.message}\n{each.hint}" for each in found)) == []


pieces = st.one_of(
    st.sampled_from(WHOLE.split("\n")).map(str.encode),
    st.sampled_from([b"", b"\n", b"  ", b": ", b"[", b"{", b"&a ", b"*a", b"!!x ", b"---\n", b"'", b'"', b"\t", b"\0"]),
    st.binary(max_size=12),
)


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_no_edit_of_a_lock_raises_or_goes_unseen(data: st.DataObject) -> None:
    edited = WHOLE.encode()
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(edited)))
        end = data.draw(st.integers(start, min(len(edited), start + 200)))
        edited = edited[:start] + data.draw(pieces) + edited[end:]
    with tempfile.TemporaryDirectory() as folder:
        whole, found = loaded(WHOLE, Path(folder), WANTED), loaded(edited, Path(folder), WANTED)
    assert found.findings or found.lock == whole.lock  # an edit of a comment changes nothing
    for finding in found.findings:
        assert finding.message.isprintable()
        assert finding.hint
        assert finding.location.line <= edited.count(b"\n") + edited.count(b"\r") + 2


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=300))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert loaded(data, Path(folder)).lock is None
