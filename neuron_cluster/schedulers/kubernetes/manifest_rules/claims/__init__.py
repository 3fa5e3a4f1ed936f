"""Dynamic resource allocation (DRA): references between pods, containers and claim templates, device requests."""
