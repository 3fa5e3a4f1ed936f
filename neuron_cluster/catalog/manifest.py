"""Third-party software that is published as a manifest, without a chart."""

from __future__ import annotations

from neuron_cluster.catalog.chart_contract import AdmissionWebhooks, PodAccount, ProvidedKind
from neuron_cluster.catalog.sourced_row import SourcedRow


class Manifest(SourcedRow, frozen=True, kw_only=True):
    """One manifest. ``address`` is the URL of this version; ``sha256`` is that of the file.

    ``image`` is its image with tag. ``chart`` is the bundled chart that installs the same, with ``image``; None where
    there is none: a manifest is never fetched at synthesis.
    """

    version: str
    address: str
    sha256: str | None
    namespace: str
    image: str
    provides: tuple[ProvidedKind, ...]
    webhooks: AdmissionWebhooks
    service_accounts: tuple[PodAccount, ...]
    chart: str | None
