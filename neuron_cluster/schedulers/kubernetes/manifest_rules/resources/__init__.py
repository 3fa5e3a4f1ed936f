"""Resource requests and limits: quantities, extended resources, huge pages."""
