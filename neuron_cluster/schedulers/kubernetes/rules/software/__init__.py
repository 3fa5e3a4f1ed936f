"""Chapter 5: software (Neuron SDK, drivers, frameworks, containers, add-ons, charts)."""
