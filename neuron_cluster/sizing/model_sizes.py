"""Sizes that decide how a model is divided over cores, and how much memory it needs."""

from __future__ import annotations

from msgspec import Struct

KEYS_AND_VALUES = 2
WORDS = ((1e9, "billion", "B"), (1e6, "million", "M"))
"""From how many parameters on, the word for a sentence, and the letter for a name."""


class ModelSizes(Struct, frozen=True, kw_only=True):
    """Numbers of parameters are those of all layers. A dense model has no experts (0)."""

    name: str
    family: str
    """Name of the family in the catalog; empty where only the number of parameters is known."""
    layers: int
    hidden: int
    heads: int
    key_value_heads: int
    head_size: int
    vocabulary: int
    parameters: int
    embedding_parameters: int
    attention_parameters: int = 0
    expert_parameters: int = 0
    """The number of parameters of routed experts."""
    vision_parameters: int = 0
    experts: int = 0
    experts_per_token: int = 0
    expert_intermediate: int = 0
    intermediates: tuple[int, ...] = ()
    """Intermediate sizes of dense layers and of shared experts."""
    latent_size: int | None = None
    """Numbers that a layer caches for each token in place of keys and values (MLA); None without."""
    window: int | None = None
    window_layers: int = 0
    """Layers that cache the last ``window`` tokens alone."""
    index_heads: int = 0
    """Heads of an indexer whose scores are whole on each core."""
    adapter_dimensions: int = 0
    """Rows and columns of all matrices outside of routed experts: with the rank, the parameters of LoRA adapters."""
    is_encoder: bool = False
    """Whether it returns embeddings and generates no text."""
    longest: int | None = None
    """Tokens of the longest sequence that the file names."""
    stored_format: str = "bf16"
    """Format of the weights in the checkpoint: a name of ``weight_formats``."""
    stored_bytes: int | None = None
    """Bytes of all weight files; None where they are not next to the file."""
    assumptions: tuple[str, ...] = ()
    """Assumptions where the file has no value, in whole sentences."""

    @property
    def active_parameters(self) -> int:
        """The number of parameters that a token uses."""
        if not self.experts:
            return self.parameters
        return self.parameters - self.expert_parameters * (self.experts - self.experts_per_token) // self.experts

    @property
    def whole_layers(self) -> int:
        """Layers that cache all tokens."""
        return self.layers - self.window_layers

    @property
    def cached_numbers(self) -> int:
        """Cached numbers of one token in one layer, over all cores that do not repeat a head."""
        return self.latent_size or KEYS_AND_VALUES * self.key_value_heads * self.head_size

    def cached_tokens(self, length: int) -> int:
        """Returns the cached tokens of one sequence, summed over the layers."""
        in_window = min(length, self.window) if self.window is not None else length
        return self.whole_layers * length + self.window_layers * in_window


def parameters_text(number: float) -> str:
    """Such as ``8.03 billion parameters``."""
    found = next((f"{number / size:,.4g} {word}" for size, word, _ in WORDS if number >= size), f"{number:,.0f}")
    return f"{found} parameters"


def parameters_name(number: float) -> str:
    """Such as ``8.03B``."""
    return next((f"{number / size:,.4g}{letter}" for size, _, letter in WORDS if number >= size), f"{number:.0f}")
