"""CDK rejects a broken template, also with a record: only the record of the same template and release has an effect."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.validated_templates import record_validated, template_digest, validated_digests

pytestmark = pytest.mark.slow

PLACE = {"account": "111122223333", "region": "us-west-2"}
BROKEN = {
    "unknown-property": ("AWS::S3::Bucket", {"NoSuchProperty": "x"}, "F3002"),
    "wrong-format": ("AWS::EC2::Instance", {"ImageId": "not-an-image"}, "E1152"),
    "missing-property": ("AWS::EC2::Subnet", {"CidrBlock": "10.0.0.0/24"}, "F3003"),
}
"""Type and properties of a resource, and the rule of CDK that they violate."""
Synthesize = Callable[..., Path]


@pytest.fixture
def synthesize(cdk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Synthesize:
    """``synthesize(record, *resources)``: a stack without an error and one with these; returns the assembly."""
    from neuron_cluster.cdk_validation import WITHOUT_TRACES, new_app

    monkeypatch.setenv("CDK_VALIDATION", "true")

    def run(record: Path | None, *resources: tuple[str, dict[str, Any], str], acknowledged: str = "") -> Path:
        out = tmp_path / f"cdk.out-{len([*tmp_path.glob('cdk.out-*')])}"
        context = {"@aws-cdk/core:validateAgainstDefaultRules": True}
        if record is None:
            app = cdk.App(outdir=str(out), context=context | WITHOUT_TRACES, analytics_reporting=False)
            cdk.Validations.of(app).add_plugins(cdk.CloudFormationValidatePlugin())
        else:
            app = new_app(record, outdir=str(out), context=context)
        for name, content in (("valid", ()), ("broken", resources)):
            stack = cdk.Stack(app, name, env=cdk.Environment(**PLACE))
            cdk.CfnResource(stack, "Topic", type="AWS::SNS::Topic", properties={"DisplayName": name})
            for position, (kind, properties, _) in enumerate(content):
                made = cdk.CfnResource(stack, f"Broken{position}", type=kind, properties=properties)
                if acknowledged:
                    rule = cdk.Acknowledgment(id=f"CloudFormation-Validate::{acknowledged}", reason="a test")
                    cdk.Validations.of(made).acknowledge(rule)
        app.synth()
        return out

    return run


def digest_of(assembly: Path, stack: str, release: str | None = None) -> str:
    from neuron_cluster.cdk_validation import cdk_release

    template = (assembly / f"{stack}.template.json").read_bytes()
    return template_digest(release or cdk_release(), PLACE["account"], PLACE["region"], template)


def assembly_of(tmp_path: Path) -> Path:
    """The last assembly, which CDK writes before it validates."""
    return max(tmp_path.glob("cdk.out-*"))


@pytest.mark.parametrize("broken", BROKEN.values(), ids=[*BROKEN])
def test_a_broken_template_is_rejected_and_never_recorded(
    broken: tuple[str, dict[str, Any], str], synthesize: Synthesize, tmp_path: Path
) -> None:
    from neuron_cluster.cdk_validation import cdk_release

    record = tmp_path / "valid.json"
    for _ in ("without a record", "with the record of the other stack"):
        with pytest.raises(RuntimeError, match=f"(?s)^ValidationFailed.*{broken[2]}"):
            synthesize(record, broken)
        assert validated_digests(record, cdk_release()) == [digest_of(assembly_of(tmp_path), "valid")]


def test_a_template_of_the_record_is_not_validated(synthesize: Synthesize, tmp_path: Path) -> None:
    from neuron_cluster.cdk_validation import cdk_release

    record = tmp_path / "valid.json"
    broken = BROKEN["unknown-property"]
    with pytest.raises(RuntimeError, match=r"^ValidationFailed"):
        synthesize(record, broken)
    record_validated(record, cdk_release(), [digest_of(assembly_of(tmp_path), "broken")])
    report = json.loads((synthesize(record, broken) / "validation-report.json").read_bytes())
    assert report["pluginReports"] == []
    with pytest.raises(RuntimeError, match=r"^ValidationFailed"):
        synthesize(record, broken, BROKEN["wrong-format"])


@pytest.mark.parametrize("defect", ["another release", "truncated", "of another user", "a folder"])
def test_a_broken_template_is_rejected_with_a_record_that_has_no_effect(
    defect: str, synthesize: Synthesize, tmp_path: Path
) -> None:
    from neuron_cluster.cdk_validation import cdk_release

    record = tmp_path / "valid.json"
    broken = BROKEN["unknown-property"]
    with pytest.raises(RuntimeError, match=r"^ValidationFailed"):
        synthesize(record, broken)
    digest = digest_of(assembly_of(tmp_path), "broken")
    record_validated(record, cdk_release(), [digest])
    if defect == "another release":
        record.write_text(record.read_text().replace(cdk_release(), "2.1.0"))
    elif defect == "truncated":
        record.write_bytes(record.read_bytes()[:-3])
    elif defect == "of another user":
        record.chmod(0o666)
    else:
        record.unlink()
        record.mkdir()
    with pytest.raises(RuntimeError, match=r"^ValidationFailed"):
        synthesize(record, broken)


def test_a_folder_that_cannot_be_written_has_no_effect_on_the_result(synthesize: Synthesize, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    record = tmp_path / "file" / "valid.json"
    for _ in range(2):
        synthesize(record)
        with pytest.raises(RuntimeError, match=r"^ValidationFailed"):
            synthesize(record, BROKEN["unknown-property"])


def test_an_acknowledged_violation_passes_and_is_not_recorded(synthesize: Synthesize, tmp_path: Path) -> None:
    from neuron_cluster.cdk_validation import cdk_release

    record = tmp_path / "valid.json"
    broken = BROKEN["unknown-property"]
    assembly = synthesize(record, broken, acknowledged=broken[2])
    assert validated_digests(record, cdk_release()) == [digest_of(assembly, "valid")]


def test_the_report_is_that_of_cdk(synthesize: Synthesize, tmp_path: Path) -> None:
    reports = []
    for record in (None, tmp_path / "valid.json"):
        with pytest.raises(RuntimeError, match=r"^ValidationFailed"):
            synthesize(record, *BROKEN.values())
        reports.append(json.loads((assembly_of(tmp_path) / "validation-report.json").read_bytes()))
    assert reports[0]["pluginReports"] != []
    assert reports[0] == reports[1]


def test_cdk_validates_nothing_when_its_validation_is_off(
    synthesize: Synthesize, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CDK_VALIDATION", "false")
    assert not (synthesize(tmp_path / "valid.json", *BROKEN.values()) / "validation-report.json").exists()
    assert not (tmp_path / "valid.json").exists()
