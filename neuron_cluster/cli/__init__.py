"""The command line: arguments in, text and exit status out. It prints and asks, and decides nothing."""
