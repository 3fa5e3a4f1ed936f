"""The findings before, during and after a deploy, but for those of the preflight checks and the change guards."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec, specs_of_table

OF_A_COMMAND = {
    "E9500": (
        "The command completes.",
        "The cause, in the message, is not in the file. `--format json` reports it under this id.",
    ),
    "E9520": (
        "One command at a time changes an environment.",
        "Two deploys of one environment overwrite each other. A `deploy` or `destroy` locks it for the whole checkout.",
    ),
    "E9525": (
        "The change was confirmed at the terminal, or with `--yes`.",
        (
            "On AWS `deploy`, `destroy`, `node replace`, `node reboot` and purchases ask for it, and "
            "`upgrade-toolkit --write` where a deploy would stop; without a terminal they need `--yes`."
        ),
    ),
    "E9526": (
        "Every folder that the command writes to is writable and has free space.",
        "A synthesis writes 60 MiB for a while, and CDK unpacks and packs as much. The message names the full folder.",
    ),
    "E9530": (
        "The CDK app synthesizes the templates of the file.",
        "The message has the output of the app.",
    ),
}
OF_AWS = {
    "E9501": (
        "The credentials belong to the account of the file (`account`).",
        "A deploy with the credentials of another account would create the environment there.",
    ),
    "E9502": (
        "The file contains no placeholder of an example (`account`, `reservation_id`).",
        "The account ids of the documentation and the reservation id of the examples do not exist.",
    ),
    "E9503": (
        "The account is bootstrapped for CDK in this Region.",
        "Templates and assets are uploaded to a bucket, with roles, that `cdk bootstrap` creates once.",
    ),
    "E9521": (
        "Commands for AWS do not reach a local AWS (`AWS_ENDPOINT_URL`).",
        (
            "A shell with the variables of `neuron-cluster local` sends every call to it. Without `--local`, `lock` "
            "would write invented AMI ids for AWS, and `capacity` would show invented offers."
        ),
    ),
    "E9527": (
        "AWS accepts the API calls of the command.",
        "A service rejected one: permissions, quotas, throttling or its own rules. The message has the error code.",
    ),
    "E9528": (
        "AWS credentials are set, and AWS can be reached.",
        "Without them the account cannot be read, and nothing is changed.",
    ),
}
OF_STACKS = {
    "E9522": (
        "After a deploy every stack is in a final state.",
        "The CDK command waits for its own changes only. A stack that another one changes differs from the file.",
    ),
    "E9524": (
        "CloudFormation can update the stacks that exist.",
        "A stack whose deletion or first rollback failed cannot be updated; delete it first, then create it again.",
    ),
    "E9529": (
        "CloudFormation completes the change.",
        (
            "A resource failed; the message names it, the cause first, with the service's own reason, the key of the "
            "file that it comes from, and its cause where the catalog has it; the hint is then the way out of it."
        ),
    ),
    "E9531": (
        "No stack of the environment has an update in progress when a command begins.",
        (
            "CloudFormation runs an update of another user, or of an interrupted command. Its result is not known yet. "
            "`deploy` waits for a creation, an update or a rollback that is in progress when it begins; it stops for a "
            "deletion, and for an update that begins before its own."
        ),
    ),
    "W9652": (
        "After a deploy the settings that it reads back are those of the file.",
        (
            "CloudFormation compares templates: what was changed with another program stays, and a deploy without an "
            "edit reports no change. `deploy` compares the endpoint, logs, version and deletion protection of the "
            "cluster, add-ons, access entries, sizes and taints of node groups, versioning, encryption and public "
            "access of buckets, state and rotation of keys, throughput of file systems and whether one for Lustre has "
            "more capacity, and no other setting."
        ),
    ),
}
OF_FILE_SYSTEMS = {
    "E9549": (
        "Updates of capacity, throughput or metadata IOPS of a Lustre file system are hours apart (`storage.lustre`).",
        (
            "FSx rejects a second update of the same setting for 6 hours, and while it distributes files; the storage "
            "stack rolls back. `deploy` and `diff` query FSx for the last update when the edit changes one of them; "
            "`diff --against` queries no account."
        ),
    ),
}
OF_HOMES = {
    "E9590": (
        "Each home of the file that was deployed has its volume (`storage.homes`).",
        (
            "A volume is deleted by `destroy --home`, or by a person. CloudFormation compares templates: it creates no "
            "other volume while the home stays in the file, and the workstation finds none. `deploy` and `diff` query "
            "EC2; `diff --against` queries no account."
        ),
    ),
    "E9591": (
        "`destroy --home` deletes a home that is no longer in the file (`storage.homes`).",
        "The next deploy of the file takes it out of its stack. A file that has it describes a volume that exists.",
    ),
}
OF_IDENTITY = {
    "E9013": (
        "Each environment is described by one file in `environments/`.",
        "Name, account and Region identify an environment: a deploy of one file would undo that of the other.",
    ),
    "E9014": (
        "A deployed environment is not renamed, and does not move to another account or Region.",
        (
            "Stacks and cluster have the name of the environment: a deploy of the edited file creates a second "
            "environment, and the first one stays deployed and billed with its data. What was deployed from a file is "
            "recorded in `.local/deployed.json` of the checkout; the stacks of an account are compared with the names "
            "in `environments/` too, and on AWS the other Regions of the account are queried. `--new-environment NAME` "
            "creates the second one on purpose. Plain CDK accepts a file by its name only where its environment has "
            "the same name."
        ),
    ),
    "W9015": (
        "Every environment that is deployed in the account and Region has a file in `environments/`.",
        (
            "One without a file was renamed, or its file is in another folder. It is still billed; "
            "`neuron-cluster list` shows it with the command that removes it."
        ),
    ),
    "E9016": (
        "`destroy` is given a file whose environment has the name of the file.",
        "Otherwise the name on the command line and the environment that is removed differ; `--deployed` names one.",
    ),
    "E9032": (
        "For plain `cdk`, the file or its lock sets `storage.lustre.metadata`.",
        (
            "Plain `cdk` compares nothing with what is deployed. FSx cannot add a metadata configuration to a file "
            "system, and the storage stack rolls back. `neuron-cluster deploy` queries FSx."
        ),
    ),
}
OF_PINNED_IMAGES = {
    "E9542": (
        "AMIs are owned by Amazon or by an account that the file names (`ami_id`, `ami_owner`).",
        (
            "An AMI of an unknown account runs as root on the workstation and mounts its home. The checksum of a lock "
            "detects accidental edits, not forgeries: anyone who edits a lock can compute it. So EC2 is queried for "
            "the owner of the image."
        ),
    ),
    "E9543": (
        "Pinned AMIs and AMI releases exist in the Region (`ami_id`, `ami_release`, the lock).",
        "Instances of an AMI that does not exist, or that is not shared with the account, do not start.",
    ),
    "E9544": (
        "The image id and the release version of a lock are of the same AMI (`ami_releases`).",
        "`neuron-cluster lock` writes both from one release: a lock where they differ was edited.",
    ),
    "W9545": (
        "Owners, releases and digests that a file or a lock pins are checked before a deploy.",
        (
            "The check needs ec2:DescribeImages and ssm:GetParameter, and the local AWS does not have every AMI of "
            "AWS. Without the check a forged lock can start instances of any AMI."
        ),
    ),
    "W9546": (
        "A pinned AMI release is at most 90 days older than the newest one (`ami_release`).",
        (
            "Old releases lack security fixes of the kernel, containerd and kubelet. An edit of a lock that goes back "
            "to one rolls the nodes onto it."
        ),
    ),
    "E9547": (
        "Charts and images have the digests of the lock (`charts`, `images`).",
        (
            "A tag or a chart version was published again, or the lock was edited. Charts, and images of charts "
            "without a key for a digest, are pulled by tag: other content would run with the same permissions."
        ),
    ),
}

OF_BUILT_IMAGES = {
    "E9561": (
        "`image build` has what it needs: a pinned Deep Learning AMI, an installer, the internet, no `ami_id`.",
        (
            "A build starts from the AMI id of the lock, so that the same lock gives the same image, and downloads "
            "software from AWS, GitHub and the repositories of the operating system."
        ),
    ),
    "E9562": (
        "A build of Image Builder ends with an AMI.",
        (
            "Each component of the recipe is a script; the first that fails ends the build, and its output is in the "
            "log group of the pipeline. The lock is not changed."
        ),
    ),
    "E9563": (
        "Nodes have an AMI when templates are written (`slurm.ami_id`, the lock).",
        (
            "`plan` and `cost` describe a cluster whose AMI is not built yet (W2140). With the Deep Learning AMI in "
            "its place a template would start nodes that never join the cluster."
        ),
    ),
    "E9567": (
        "No build of an AMI runs when `destroy` deletes its pipeline.",
        (
            "A build continues without its pipeline: its instance holds the security group and the subnet, which "
            "CloudFormation then cannot delete, and its AMI appears after `destroy` has listed those that stay."
        ),
    ),
    "E9571": (
        "No job of the environment runs on machines of a service when `destroy` deletes the stack that it uses.",
        (
            "A SageMaker training job keeps running without its stack, and is billed: without its role it writes no "
            "checkpoint, and its network interfaces hold the security group, which CloudFormation then cannot delete."
        ),
    ),
}

OF_JOBS = {
    "E9564": (
        "A login node runs and takes commands of Systems Manager (`workload submit`).",
        "Jobs are submitted on a login node: no other machine reaches the scheduler. Nothing was submitted.",
    ),
    "E9565": (
        "The scheduler accepts the job and returns its id (`workload submit`).",
        (
            "It applies limits of accounts, queues and users that no file has. The local AWS runs no scheduler: "
            "there `--local` ends with this finding or with E9564."
        ),
    ),
    "E9566": (
        "The login node returns the result of the submission within three minutes (`workload submit`).",
        "The command is not cancelled and may still submit the job: a second submission may run it twice.",
    ),
}

OF_NODES = {
    "E9607": (
        "The environment has a section whose service lists nodes, or has the action (`node`).",
        (
            "SageMaker HyperPod replaces and reboots nodes on request. Nodes of other sections belong to Auto Scaling "
            "groups and queues, which start and end them."
        ),
    ),
    "E9608": (
        "Each node on the command line is one of the cluster (`node replace`, `node reboot`).",
        "All of them are compared with the cluster before the first request: none is changed.",
    ),
    "E9609": (
        "No node on the command line is changing already (`node replace`, `node reboot`).",
        (
            "SageMaker rejects nodes whose status does not allow the action, and names no status. The toolkit makes no "
            "request for a node that has no instance, or is Pending, ShuttingDown or SystemUpdating."
        ),
    ),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    of_images = {**OF_PINNED_IMAGES, **OF_BUILT_IMAGES}
    of_work = {**OF_JOBS, **OF_NODES}
    rows = {**OF_A_COMMAND, **OF_AWS, **OF_STACKS, **OF_FILE_SYSTEMS, **OF_HOMES, **OF_IDENTITY, **of_images, **of_work}
    return specs_of_table("9: edits and deploys", "the account and what is deployed", rows)
