"""The plan of all resources: frozen msgspec Structs, complete, the only input of the stacks."""
