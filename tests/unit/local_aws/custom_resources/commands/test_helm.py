"""The recording helm by itself: what it logs and what it refuses."""

from __future__ import annotations

import io
import json

import pytest

from local_aws.custom_resources.command_log import LOG_VARIABLE, read_log
from local_aws.custom_resources.commands.helm import main


@pytest.fixture
def log(tmp_path, monkeypatch):
    for variable, folder in (("TEST_OUTDIR", "out"), ("TMPDIR", "tmp")):
        (tmp_path / folder).mkdir()
        monkeypatch.setenv(variable, str(tmp_path / folder))
    monkeypatch.setenv(LOG_VARIABLE, str(tmp_path / "log"))
    return tmp_path / "log"


def test_upgrade_logs_release_and_values_and_shows_folders_as_the_lambda_has_them(log, tmp_path):
    values = tmp_path / "out" / "values.yaml"
    values.write_text(json.dumps({"a": 1}), encoding="utf-8")
    arguments = ["upgrade", "efa", "plugin", "--install", "--values", str(values), "--kubeconfig", "k"]
    assert main(arguments) == 0
    [ran] = read_log(log)
    line = "helm upgrade efa plugin --install --values /tmp/values.yaml --kubeconfig k"
    assert " ".join(ran.line) == line
    assert ran.asked["values"] == {"a": 1}
    assert (ran.asked["release"], ran.asked["chart"], ran.asked["namespace"]) == ("efa", "plugin", None)


def test_uninstall_logs_the_release(log):
    assert main(["uninstall", "efa", "--namespace", "n", "--kubeconfig", "k"]) == 0
    [ran] = read_log(log)
    assert ran.asked == {"release": "efa", "namespace": "n"}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["uninstall", "efa", "--cascade", "orphan", "--kubeconfig", "k"], "--cascade"),
        (["upgrade", "efa", "plugin", "--kubeconfig", "k"], "--install"),
        (["rollback", "efa"], "helm rollback efa"),
        ([], "does not answer the command: helm"),
    ],
)
def test_what_is_not_known_fails_loudly_and_is_logged(log, capsys, arguments, complaint):
    assert main(arguments) == 2
    assert complaint in capsys.readouterr().err
    [ran] = read_log(log)
    assert complaint in ran.complaint


def test_login_needs_a_password(log, monkeypatch):
    login = ["registry", "login", "--username", "AWS", "--password-stdin", "public.ecr.aws"]
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(login) == 1
    monkeypatch.setattr("sys.stdin", io.StringIO("local\n"))
    assert main(login) == 0
