"""Two values that differ are shown by what differs."""

from __future__ import annotations

from typing import Any

import pytest

from local_aws.cloudformation.values import Address, Reference
from neuron_cluster.changes.shown_values import MAX_SHOWN, SAME, shown_pair

LONG = [letter * 20 for letter in "abcd"]
SCRIPT = "#!/bin/bash\n" + "echo\n" * 30
ROLE = {
    "Fn::Join": [
        "",
        ["arn:", {"Ref": "AWS::Partition"}, ":", Reference(Address("net", "Vpc")), ":iam::111122223333:role/"],
    ]
}


@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [
        (512, 600, "512", "600"),
        (None, "a", "nothing", "a"),
        (["a"], ["a", "b"], '["a"]', '["a", "b"]'),
        (LONG, [*LONG, "new"], "…", '…, "new"'),
        (LONG, LONG[1:], f'…, "{LONG[0]}"', "…"),
        (LONG, [*LONG[:3], "new"], LONG[3], "new"),
        (dict.fromkeys(LONG, "1"), {**dict.fromkeys(LONG, "1"), "team": "x"}, "…", '…, "team": "x"'),
        (SCRIPT + "a=1\nend\n", SCRIPT + "a=2\nb=3\nend\n", "…a=1…", "…a=2; b=3…"),
        ("x" * 90 + "1" + "y" * 90, "x" * 90 + "2" + "y" * 90, "…1…", "…2…"),
        (
            ROLE,
            "arn:aws:iam::111122223333:role/",
            "arn:${AWS::Partition}:net/Vpc:iam::111122223333:role/",
            "arn:aws:iam::111122223333:role/",
        ),
        (LONG, [*LONG, Reference(Address("net", "SubnetC"), "SubnetId")], "…", '…, "net/SubnetC.SubnetId"'),
    ],
)
def test_the_items_keys_or_lines_that_differ_are_shown(old: Any, new: Any, before: str, after: str) -> None:
    assert shown_pair(old, new) == (before, after)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LONG, LONG[::-1]),
        ("x" * 100, "x" * 101),
        (["x"] * 40, ["x"] * 41),
        ("x" * 80 + "a" * 100, "x" * 80 + "b" * 100),
        ("a\n" * 50, "a\n" * 50 + "\n"),
        (["x" * 80 + "1", "x" * 80 + "2"], ["x" * 80 + "3", "x" * 80 + "4"]),
        ("a\nb", "a\nb\n"),
    ],
)
def test_what_differs_never_looks_the_same(old: Any, new: Any) -> None:
    before, after = shown_pair(old, new)
    assert before != after
    assert max(len(before), len(after)) <= MAX_SHOWN + len(" (100000 characters)")
    assert SAME in before + after or max(len(str(old)), len(str(new))) <= MAX_SHOWN


def test_what_differs_is_shown_in_whole_words() -> None:
    bucket = "s3://a-bucket-with-a-name-that-is-much-too-long-to-be-shown-as-a-whole"
    assert shown_pair(f"{bucket}/checkpoints/", f"{bucket}/ckpt/") == ("…checkpoints…", "…ckpt…")


INTERFACES = [{"DeleteOnTermination": "true", "DeviceIndex": "1", "Groups": ["sg-1"], "InterfaceType": "efa"}] * 15
FIRST_INTERFACE = {"DeleteOnTermination": "true", "DeviceIndex": "0", "Groups": ["sg-1"], "InterfaceType": "efa"}
SCRIPT, OTHER_SCRIPT = "0123456789abcdef" * 4, "fedcba9876543210" * 4


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([FIRST_INTERFACE], [FIRST_INTERFACE, *INTERFACES], ("1 entry", "16 entries")),
        ([FIRST_INTERFACE, *INTERFACES], None, ("16 entries", "nothing")),
        (f"s3://bucket/{SCRIPT}.sh", f"s3://bucket/{OTHER_SCRIPT}.sh", ("a checksum", "another checksum")),
        (f"echo {SCRIPT} install.sh | sha256sum --check", f"echo {OTHER_SCRIPT} install.sh | sha256sum --check",
         ("a checksum", "another checksum")),
    ],
)  # fmt: skip
def test_objects_and_checksums_are_words(old: Any, new: Any, expected: tuple[str, str]) -> None:
    assert shown_pair(old, new) == expected


def test_digests_of_images_are_shown() -> None:
    before, after = shown_pair(
        f"registry.example/team/image@sha256:{SCRIPT}", f"registry.example/team/image@sha256:{OTHER_SCRIPT}"
    )
    assert (SCRIPT[:20] in before, OTHER_SCRIPT[:20] in after) == (True, True)
