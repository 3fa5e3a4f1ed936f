"""What will be built: frozen dataclasses, complete, the only input of the stacks."""
