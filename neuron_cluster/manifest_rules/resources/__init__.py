"""What pods ask of nodes: quantities, extended resources, huge pages."""
