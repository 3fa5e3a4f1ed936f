"""Effects of an edit on the deployed stacks: a row for every field, and the comparison of templates."""
