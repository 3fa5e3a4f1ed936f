"""CloudFormation as a library: templates read, functions resolved, references followed, replacements found."""
