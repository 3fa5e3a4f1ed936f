"""Which instances a model fits: memory of each core, division of the model, cost."""
