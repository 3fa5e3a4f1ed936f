"""The command line: arguments in, text and exit status out. It prints and prompts, and decides nothing."""
