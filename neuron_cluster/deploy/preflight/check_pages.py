"""What the findings before a deploy mean: by id, a sentence that says what must hold, and why."""

from __future__ import annotations

REFUSAL_PAGES: dict[str, tuple[str, str]] = {
    "E9500": (
        "The command ran to its end.",
        "Something outside the file stood in its way; the message says what. `--format json` reports it under this id.",
    ),
    "E9501": (
        "The credentials belong to the account that the file names.",
        "A deploy with the credentials of another account would build the environment there.",
    ),
    "E9502": (
        "The file holds no placeholder from an example.",
        "The account ids of the documentation and the reservation id of the examples belong to nobody.",
    ),
    "E9503": (
        "The account is set up for CDK in this Region.",
        "Templates and assets go through a bucket and roles that `cdk bootstrap` makes once.",
    ),
    "E9520": (
        "One command at a time changes an environment.",
        "Two deploys of one environment overwrite each other. A `deploy` or `destroy` locks it for the whole checkout.",
    ),
    "E9522": (
        "After a deploy every stack is finished.",
        "The CDK command waits for its own changes alone. A stack that another one changes is not what the file says.",
    ),
    "E9523": (
        "After a deploy every node group is ACTIVE.",
        "EKS takes a new size before its nodes run: the stack succeeds, the group is DEGRADED, and its issues say why.",
    ),
    "E9524": (
        "CloudFormation can update the stacks that exist.",
        "A stack whose deletion or first rollback failed takes no update; it is deleted first, and then made anew.",
    ),
    "E9525": (
        "A person confirmed the change.",
        "On AWS `deploy`, `destroy` and purchases ask; without a terminal to ask on they need `--yes`.",
    ),
    "E9526": (
        "Every folder that the command writes to has space and can be written to.",
        "A synthesis writes 60 MiB for a while, and CDK unpacks and packs as much. The message names the full folder.",
    ),
    "E9527": (
        "AWS takes the calls of the command.",
        "A service refused one: rights, quotas, throttling or its own rules. The message has the service's code.",
    ),
    "E9528": (
        "There are credentials, and AWS answers.",
        "Without either nothing is known of the account, and nothing is changed.",
    ),
    "E9529": (
        "CloudFormation carries out the change.",
        "A resource failed; the message names it, the cause first, with the service's own reason.",
    ),
    "E9532": (
        "After a deploy each node group has the size of the file.",
        (
            "CloudFormation sends a size when the template's has changed. One that EKS has changed since, before the "
            "end of a capacity block, or a person, stays: a paid block would run no node, without an error."
        ),
    ),
    "E9530": (
        "The CDK app makes the templates of the file.",
        "The message has what the app wrote.",
    ),
    "E9521": (
        "Commands for AWS do not reach a local AWS (`AWS_ENDPOINT_URL`).",
        (
            "A shell with the variables of `neuron-cluster local` sends every call to it. Without `--local`, `lock` "
            "would write invented AMI ids for AWS, and `capacity` would show invented offers."
        ),
    ),
    "E9531": (
        "No stack of the environment is being changed when a command begins.",
        "Another machine, or an interrupted command, has CloudFormation at work. What it leaves is not known yet.",
    ),
    "E9013": (
        "Each environment is described by one file in `environments/`.",
        "Name, account and Region identify an environment: a deploy of one file would undo what the other built.",
    ),
    "E9014": (
        "A deployed environment is not renamed, and does not move to another account or Region.",
        (
            "Stacks and cluster have the name of the environment: a deploy of the edited file builds a second "
            "environment, and the first one stays deployed and billed with its data. What was deployed from a file is "
            "recorded in `.local/deployed.json` of the checkout; the stacks of an account are compared with the names "
            "in `environments/` too, and on AWS the other Regions of the account are asked. `--new-environment NAME` "
            "builds the second one on purpose. Plain CDK takes a file by its name only where its environment has the "
            "same name."
        ),
    ),
    "W9015": (
        "Every environment that is deployed in the account and Region is described by a file.",
        (
            "One that is not was renamed, or its file is somewhere else. It is billed all the same; "
            "`neuron-cluster list` shows it with the command that removes it."
        ),
    ),
    "E9016": (
        "`destroy` is given a file whose environment has the name of the file.",
        "Otherwise the name on the command line and the environment that is removed are two; `--deployed` names one.",
    ),
    "E9032": (
        "For plain `cdk` the file or its lock decides `storage.lustre.metadata`.",
        (
            "Plain `cdk` compares nothing with what is deployed. FSx refuses to add a metadata configuration to a file "
            "system, and the storage stack rolls back. `neuron-cluster deploy` asks FSx by itself."
        ),
    ),
    "W9505": (
        "After a deploy EKS reports no issue of a node group that is ACTIVE, and every managed add-on is ACTIVE.",
        "The group has enough nodes to be ACTIVE, and EKS goes on trying; a group that is DEGRADED is E9523.",
    ),
}
