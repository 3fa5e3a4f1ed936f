"""The toolkit's part of its local AWS: the facts of its catalog, and its template rules as checks of API calls."""
