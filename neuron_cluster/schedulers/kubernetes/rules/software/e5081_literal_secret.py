from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.catalog.chart import Chart
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.text import on_one_line
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in

SECRET_NAMES = re.compile(
    r"(password|passwd|passphrase|token|apikey|accesskey|secretkey|privatekey|routingkey|servicekey|signingkey|"
    r"clientsecret|sharedsecret|credentials?|apisecret|slackapiurl|webhookurl)$"
)
"""Ends of names whose text is a secret itself. Names such as envFromSecret and passwordKey refer to one."""
SECRET_CONTENT = frozenset({"data", "stringdata"})
"""Keys of a Kubernetes Secret, below a key that creates one."""
REFERENCES = re.compile(r"(existingsecret|envfromsecrets?|secretname)$")
EXPANDED = ("$", "<")
"""Prefixes of values that are substituted at run time: ``$__file{…}``, ``${VARIABLE}``."""


class LiteralSecret(Rule):
    """Passwords, tokens and keys are not literal values (`eks.chart_values`).

    CDK's handler writes every value of a chart to its CloudWatch log. The values are also in the template, in the
    assets bucket and in version control. A Kubernetes Secret, created by External Secrets, the Secrets Store CSI
    driver or `kubectl create secret`, is referenced by its name.

    Without this check AWS reports no error. Users who can read templates or logs of the account can read the password.
    """

    id = "E5081"
    source = (
        "aws-cdk-lib: custom-resource-handlers/dist/aws-eks-v2/kubectl-handler (index.py prints the event); "
        "https://kubernetes.io/docs/concepts/security/secrets-good-practices/"
    )

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None:
            return
        for name, values in cluster.section.chart_values.items():
            for path in _literal_secrets(values, ()):
                chart, place = context.catalog.charts.get(name), ".".join(map(str, path))
                yield Violation(
                    (*cluster.path, "chart_values", name, *path),
                    on_one_line(
                        f"{place} contains a literal secret, which templates, logs and version control would contain "
                        "too"
                    ),
                    f"create a Secret in the cluster and {_by_name(chart, path)}",
                )


def _literal_secrets(values: Any, path: KeyPath, *, in_secret: bool = False) -> Iterator[KeyPath]:
    """Key paths of texts that are secrets by their name, or by the Secret that they are written into."""
    if isinstance(values, (list, tuple)):
        for position, value in enumerate(values):
            yield from _literal_secrets(value, (*path, position))
    if not isinstance(values, Mapping):
        return
    for key, value in values.items():
        plain = _plain(key)
        is_variable = plain == "value" and SECRET_NAMES.search(_plain(values.get("name", "")))
        if isinstance(value, str) and value and not value.startswith(EXPANDED):
            if in_secret or is_variable or SECRET_NAMES.search(plain):
                yield (*path, str(key))
            continue
        makes_secret = values.get("kind") == "Secret" or (bool(path) and _plain(path[-1]).endswith("extrasecret"))
        inside = plain == "envrendersecret" or (plain in SECRET_CONTENT and makes_secret)
        yield from _literal_secrets(value, (*path, str(key)), in_secret=inside)


def _plain(name: Any) -> str:
    return re.sub(r"[^a-z]", "", str(name).lower())


def _by_name(chart: Chart | None, path: KeyPath) -> str:
    """The chart's keys for Secret names that are nearest to the path; else the Kubernetes ones."""
    known = [key for key in chart.values if REFERENCES.search(key.lower())] if chart is not None else []
    near = [key for key in known if key.split(".")[0] == str(path[0])]
    if near:
        return f"reference it at {' or '.join(near)}"
    return "reference it by name (existingSecret, or valueFrom: {secretKeyRef: …} of a container's env)"
