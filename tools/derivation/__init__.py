"""The parts of tools/write_bindings.py."""
