"""NOTES.txt of neuron-serving: how the server is reached from outside the cluster, and what is open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from bundled_charts import bundled_charts
from renders import NAMESPACE, RELEASE, Renders, newest_helm

pytestmark = pytest.mark.slow
INGRESS: Mapping[str, Any] = {"gateway": {"enabled": True}, "networkPolicy": {"cidrs": ["10.0.0.0/19"]}}
PARENT = {"name": "shared", "namespace": "gateways"}
SAFE = {"certificateArn": "arn:aws:acm:us-east-2:111122223333:certificate/a", "host": "llm.example.com"}
PLAIN, KEYLESS = "WARNING: plain HTTP", "WARNING: no API key"


def notes(values: Mapping[str, Any], renders: Renders) -> str:
    (chart,) = [chart for chart in bundled_charts() if chart.name == "neuron-serving"]
    return renders.helm(newest_helm()).notes(chart.folder, RELEASE, NAMESPACE, values)


def test_an_ingress_names_its_address_and_what_is_open(renders: Renders) -> None:
    said = notes(INGRESS, renders)
    assert f"kubectl -n {NAMESPACE} get ingress {RELEASE}" in said
    assert "curl -s http://ADDRESS/v1/models" in said
    assert "from the VPC" in said
    assert PLAIN in said
    assert KEYLESS in said


def test_a_host_wants_its_header_and_a_dns_record(renders: Renders) -> None:
    said = notes({**INGRESS, "gateway": {"enabled": True, "host": "llm.example.com"}}, renders)
    assert "host header llm.example.com" in said
    assert "DNS record (CNAME)" in said
    assert "--connect-to llm.example.com:80:ADDRESS:80 http://llm.example.com/v1/models" in said


def test_with_certificate_and_key_nothing_is_warned_of(renders: Renders) -> None:
    said = notes({**INGRESS, "gateway": {"enabled": True, **SAFE}, "apiKeySecret": {"name": "key"}}, renders)
    assert "--connect-to llm.example.com:443:ADDRESS:443 https://llm.example.com/v1/models" in said
    assert "Authorization: Bearer" in said
    assert "WARNING" not in said


def test_a_route_names_its_gateway(renders: Renders) -> None:
    said = notes({"gateway": {"enabled": True, "kind": "httproute", "parentRef": PARENT}}, renders)
    assert "kubectl -n gateways get gateway shared" in said
    assert "get ingress" not in said
    assert PLAIN not in said, "the Gateway's listener decides"
    assert KEYLESS in said


def test_without_a_gateway_nothing_is_said_of_one(renders: Renders) -> None:
    said = notes({}, renders)
    assert "ADDRESS" not in said
    assert "WARNING" not in said
