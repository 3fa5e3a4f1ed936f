from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class CompileCacheWithoutCompiler(Rule):
    """Folders of the compile cache are named by the version of neuronx-cc (`storage.compile_cache`, `neuron.sdk`).

    The catalog does not have that version for each release of the SDK.

    Without this check `plan` would show a cache without folders, and no command knows which graphs are in use.
    """

    id = "W4031"
    source = (
        "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/about-neuron/arch/neuron-features/neuron-caching.html"
    )

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        if config.storage is None or config.storage.compile_cache is None:
            return
        sdk = context.catalog.neuron_sdks.get(config.neuron.sdk)
        if sdk is not None and sdk.compiler is None:
            yield Violation(
                ("neuron", "sdk"),
                f"the catalog has no version of neuronx-cc for SDK {sdk.name}: the compile cache has no folder",
                "set sdk to another release (`neuron-cluster catalog sdk` lists all), or remove compile_cache",
            )
