"""The findings about the file itself, and about names on the command line."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec, specs_of_table

ROWS = {
    "E0001": (
        "The environment file can be read.",
        "The file exists, is not a directory, and you have permission to read it.",
    ),
    "E0002": (
        "The file is text in UTF-8 of at most 1 MiB, with at most 100,000 keys and list items.",
        "Another encoding, NUL bytes or a very large size indicate that it is not an environment file.",
    ),
    "E0003": (
        "The file is valid YAML, and mapping keys are scalars.",
        "The parser stops at the first error; its cause is often the indentation, colon or quote one line above.",
    ),
    "E0004": (
        "The file holds exactly one YAML document.",
        "One file describes one environment: an empty file has none, and text after a second `---` would be ignored.",
    ),
    "E0005": (
        "Mapping keys are unique.",
        "YAML readers keep one of the two values without an error, and not all of them the same one.",
    ),
    "E0006": (
        "The file uses no anchors, aliases, merge keys or tags.",
        (
            "They make a value depend on another place in the file, and findings could not point at one line. "
            "Types come from the schema, so tags have no use either."
        ),
    ),
    "E0007": (
        "The file is nested at most 20 levels deep.",
        "The schema has seven levels. Deeper files are mistakes, or an attempt to exhaust the parser.",
    ),
    "E0008": (
        "The file has at most 200 validation errors.",
        "The first 200 are shown and the rest is not read: it is another file, or a program generated it.",
    ),
    "E0010": (
        "Every key is allowed by the schema at its position.",
        (
            "A misspelt key would otherwise be ignored without an error, and its default would be deployed. Some keys "
            "are allowed only in some kinds of a mapping, such as `reservation_id` in `capacity`."
        ),
    ),
    "E0011": (
        "Every required key is set.",
        "There is no default that fits every environment.",
    ),
    "E0012": (
        "Every value has the type of its key: a mapping, a list, or a scalar.",
        "A key without a value counts as a forgotten value: write one, or remove the line.",
    ),
    "E0013": (
        "Every value is allowed by its key (range, list of words, pattern).",
        (
            "Values are read as written: "
            "`version: 1.30` is not 1.3, `name: no` is a name, and only true and false are booleans."
        ),
    ),
    "E0014": (
        "`schema` is a number that this release supports.",
        "The number decides which keys exist and what they mean. Files with a newer number need a newer release.",
    ),
    "E0015": (
        "The name on the command line is an environment of the project, or the path of a file.",
        "Names are those of the files in environments/, without `.yaml`. With a slash or `.yaml` it is a path.",
    ),
    "E0016": (
        "The command runs inside a project: a folder with cdk.json beside environments/.",
        "The command searches the working directory and its parents, or uses --project DIR.",
    ),
    "E0017": (
        "The name after `catalog KIND` exists in the catalog.",
        "Rules check only facts of the catalog; its rows have a source and a date.",
    ),
    "E0018": (
        "The argument of `explain` is a finding id or a field of the environment file.",
        "Fields are written as in findings, eks.node_groups[0].count; positions in lists may be left out.",
    ),
    "W0019": (
        "The file name of an environment equals its `name`.",
        (
            "Commands use the file name; stacks, cluster and lock use `name`. A copy with the `name` of its original "
            "is "
            "not a second environment: a deploy of it changes the first one, and a destroy removes it."
        ),
    ),
}
BASES = {
    "E1050": (
        "The base that `extends` names can be read.",
        (
            "Without the base, most keys of the environment are missing. The path starts at the folder of the file "
            "that has `extends`, not at the working directory."
        ),
    ),
    "E1051": (
        "A base is in the project of the environment file.",
        (
            "Else an environment file, for example of a pull request, could show other files of the machine in "
            "findings. Of a file in no project, bases are in its folder or below. Links are followed first."
        ),
    ),
    "E1052": (
        "A file does not extend itself, directly or through its bases.",
        "No order would decide which of two values counts.",
    ),
    "E1053": (
        "An environment file and its bases are at most eight files.",
        "The value of a key must be found by reading; `neuron-cluster expand` shows the file that each one is from.",
    ),
    "E1054": (
        "`extends` is the relative path of one YAML file.",
        "An absolute path exists on one machine only. For several bases, a base extends the next one.",
    ),
    "E1055": (
        "A base is a mapping of keys of an environment.",
        "It need not have every key: the merged file is checked.",
    ),
    "E1056": (
        "A key that `null` removes is in a base.",
        "A misspelt key would otherwise remove nothing without an error.",
    ),
    "E1057": (
        "An environment file and its bases have together at most 100,000 keys and list items.",
        "More indicate that one of them is not an environment file.",
    ),
    "E1058": (
        "A file that extends a base is not read from a pipe.",
        (
            "A pipe has no folder in which its base is found, and a base of today beside a file of yesterday would "
            "show edits that were not made."
        ),
    ),
}
REFERENCES = {"E0010": ("eksctl-io/eksctl#7906", "eksctl-io/eksctl#8320", "eksctl-io/eksctl#8542")}


def finding_specs() -> tuple[FindingSpec, ...]:
    judges = "the file as it is written, or a name"
    return (
        *specs_of_table("0: the file itself, and names", judges, ROWS, REFERENCES),
        *specs_of_table("0: the file itself, and names", "the file and its bases", BASES),
    )
