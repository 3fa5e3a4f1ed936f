"""What the findings about the file itself, and about names on the command line, mean: by id, a sentence and why.

The sentence says what must hold, as the docstrings of the rules do.
"""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.findings.references import References

SHAPE_PAGES: dict[str, tuple[str, str]] = {
    "E0001": (
        "The environment file can be read.",
        "It exists, is a file and no directory, and its permissions let you read it.",
    ),
    "E0002": (
        "The file is text in UTF-8 of at most 1 MiB, with at most 100,000 keys and list items.",
        "Bytes of another encoding, NUL bytes and very large files are signs of another file than was meant.",
    ),
    "E0003": (
        "The file is YAML, and its keys are plain words.",
        "The parser stops at the first mistake; its cause is often the indentation, colon or quote one line above.",
    ),
    "E0004": (
        "The file holds exactly one YAML document.",
        "One file is one environment: an empty file has none, and what follows a second `---` would go unread.",
    ),
    "E0005": (
        "A key stands once in its mapping.",
        "YAML readers keep one of the two values without a word, and not all of them the same one.",
    ),
    "E0006": (
        "Nothing is written with anchors, aliases, merge keys or tags.",
        (
            "They make a value depend on a place elsewhere in the file, and findings could not point at one line. "
            "Types come from the schema, so tags have no use either."
        ),
    ),
    "E0007": (
        "The file is nested at most 20 levels deep.",
        "The schema needs seven. Deeper files are mistakes, or made to exhaust their reader.",
    ),
    "E0008": (
        "The file has at most 200 mistakes of its shape.",
        "Of more, the first 200 are shown and the rest is not read: it is another file, or a program made it.",
    ),
    "E0010": (
        "Every key is one that the schema knows where it stands.",
        (
            "A misspelt key would otherwise be ignored in silence, and its default would be deployed. Some keys go "
            "with some kinds of a mapping alone, such as `reservation_id` of a capacity."
        ),
    ),
    "E0011": (
        "Every required key is there.",
        "There is no default that would be right for everybody.",
    ),
    "E0012": (
        "Every value is of the kind that its key takes: a mapping, a list, or one value.",
        "A key with nothing behind it counts as a forgotten value: write one, or remove the line.",
    ),
    "E0013": (
        "Every value is one that its key allows.",
        (
            "Numbers have ranges, words are from a list, names have a form. Values are read as they are written: "
            "`version: 1.30` is not 1.3, `name: no` is a name, and only true and false are switches."
        ),
    ),
    "E0014": (
        "The file has a schema number that this release reads.",
        "The number says which keys exist and what they mean. Files with a newer number need a newer release.",
    ),
    "E0015": (
        "The name on the command line is an environment of the project, or the path of a file.",
        "Names are those of the files in environments/, without `.yaml`. With a slash or `.yaml` it is a path.",
    ),
    "E0016": (
        "The command runs inside a project: a folder with cdk.json beside environments/.",
        "The project is looked for from the working directory upward, or named with --project DIR.",
    ),
    "E0017": (
        "The name after `catalog KIND` is one that the catalog has.",
        "What the catalog does not have, no rule can check; its rows have a source and a date.",
    ),
    "E0018": (
        "What `explain` is asked about is the id of a finding or a field of the environment file.",
        "Fields are written as in findings, eks.node_groups[0].count; positions in lists may be left out.",
    ),
    "W0019": (
        "A file in environments/ is called as its environment.",
        (
            "Commands take the name of the file; stacks, cluster and lock are named by `name`. A copy that kept the "
            "`name` of its model is no second environment: deployed, it changes the first, and destroyed, removes it."
        ),
    ),
}

SHAPE_THREADS: Mapping[str, References] = {
    "E0010": (
        "eksctl-io/eksctl#7906",
        "eksctl-io/eksctl#8320",
        "eksctl-io/eksctl#8542",
    ),
}
"""By id, of people whom it would have helped."""
