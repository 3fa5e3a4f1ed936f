"""Chapter 5: Neuron software, add-ons and charts."""
