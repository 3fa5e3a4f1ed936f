"""Chapter 5: add-ons and charts."""
