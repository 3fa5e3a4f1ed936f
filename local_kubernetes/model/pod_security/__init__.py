"""Pod Security Standards: what the API server finds in pods of a namespace with a level."""
