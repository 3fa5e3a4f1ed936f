"""What will be built: frozen msgspec Structs, complete, the only input of the stacks."""
