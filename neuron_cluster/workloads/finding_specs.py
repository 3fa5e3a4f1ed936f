"""The findings about workloads for an environment."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec, specs_of_table
from neuron_cluster.workloads.scheduling.finding_specs import SCATTERED, SCATTERED_REFERENCES

ROWS = {
    "E9201": (
        "The chart is one of the workloads in charts/.",
        "`neuron-cluster workload list NAME` shows them. Components of the cluster are enabled by the key `addons`.",
    ),
    "E9202": (
        "The node group exists and has Neuron devices.",
        "A workload asks for devices; on any other group its pods would stay Pending without an end.",
    ),
    "E9203": (
        "The node group is unambiguous (`--group`).",
        "Several groups fit, and they differ in price, capacity and queue: the choice is the user's.",
    ),
    "E9204": (
        "The environment allocates Neuron devices as the pods request them: by device plugin or DRA driver.",
        "The device plugin offers aws.amazon.com/neuron, the DRA driver serves claims; neither knows the other's pods.",
    ),
    "E9205": (
        "The node group can have as many nodes as are asked for, and they can talk to each other.",
        "A job that needs more nodes than the group can have never starts; collectives between nodes need EFA.",
    ),
    "E9206": (
        "The queue is one of the environment, the node group belongs to it, and Kueue is enabled.",
        "A job in a queue without nodes is never admitted, without an event.",
    ),
    "E9207": (
        "The front end runs on the chip, and its image is known.",
        "An image for another chip starts and then fails in the compiler or the runtime, on a node that is paid for.",
    ),
    "E9208": (
        "The nodes can pull the image.",
        "In a network without a way to the internet only ECR of the account answers: pods stay in ImagePullBackOff.",
    ),
    "E9209": (
        "The cluster has the software for every custom resource of the workload.",
        "Without its definition the API server refuses the object; without its controller nothing happens to it.",
    ),
    "E9210": (
        "The pods fit a node of the group, beside what DaemonSets take there.",
        "A pod that asks for more than any node has stays Pending, and a reservation is billed while it does.",
    ),
    "E9211": (
        "The group can run all pods at once when it is at its largest.",
        "Pods of one job wait for each other, holding devices meanwhile.",
    ),
    "E9212": (
        "Storage is named for the data that the chart requires (a claim or a bucket).",
        "Which claim is meant only the user knows, and a bucket gets its name when it is deployed.",
    ),
    "E9213": (
        "Helm accepts the values of the chart.",
        'The chart\'s schema is closed: a misspelt key, or the text "1" for a number, is refused.',
    ),
    "E9214": (
        "The context of the kubeconfig is the environment's cluster.",
        "The values fit the machines of one environment; in another cluster they would wait or run in the wrong place.",
    ),
    "W9215": (
        "Storage is named for the data that the chart should keep (a claim or a bucket).",
        "Without checkpoints a drain loses all work; without a cache every start compiles all graphs again.",
    ),
    "E9241": (
        "The image is one that the catalog knows (`image.repository`, `image.tag`).",
        "A tag that does not exist cannot be pulled: pods stay in ImagePullBackOff on machines that are billed.",
    ),
    "E9242": (
        "The image is made for the chip of the nodes and holds the framework of the front end (`image.tag`).",
        "An image of another framework or another generation starts and fails in its import, compiler or runtime.",
    ),
    "E9243": (
        "The Neuron runtime of the image works with the Neuron driver of the nodes (`image.tag`, `ami_release`).",
        (
            "Both ends have windows: a driver can be too old for a runtime, and too new for it. The job ends in "
            "nrt_init(). Rule E5010 judges `neuron.containers` in the same way."
        ),
    ),
    "W9244": (
        "The Neuron runtime of the image and the Neuron driver of the nodes are known.",
        "An image of your own may hold any runtime; the catalog marks windows that its sources do not prove.",
    ),
    "W9245": (
        "The model that clients ask for is the one that is loaded (`model.name`, `weights.path`).",
        "The name is only a label: with the default folder, another model answers under the name that was given.",
    ),
    "W9216": (
        "The image is of the environment's Neuron SDK, and its framework is supported.",
        "It runs all the same; but compiled graphs are not shared between releases, and a retired one gets no fixes.",
    ),
    "W9219": (
        "The workload needs only software of the key `addons`.",
        "The toolkit does not install this one, and cannot tell whether the cluster has it.",
    ),
    "W9220": (
        "A source confirms that a node can allocate what the pods claim (DRA).",
        "The DRA driver's documents leave open what it publishes on some machines; pods then stay Pending.",
    ),
    "E9221": (
        "A bucket or a claim that is named is used.",
        "With an option that the chart does not use, data that seems to be kept is lost.",
    ),
    "E9222": (
        "The scheduler that is named is one of the environment's.",
        "A pod that names another one stays Pending, without any event: no scheduler handles it.",
    ),
    "E9223": (
        "The requested logical NeuronCores are those of the Neuron devices, at an LNC that the instance type supports.",
        "Software is told how many cores it has: with too many it fails on the node, with too few some are idle.",
    ),
    "E9224": (
        "Nodes of one UltraServer are requested from a node group of UltraServers.",
        "Other machines have no UltraServer label: a job that requires one of its own stays Pending.",
    ),
    "W9225": (
        "The node labels that pods select are set by a component of the cluster.",
        "The device plugin labels the nodes of an UltraServer; of the DRA driver no source says that it does.",
    ),
    "E9226": (
        "Kueue manages the jobs of the namespace.",
        "It excludes the namespaces of the cluster's own software: a job there would start at once, past its queue.",
    ),
    "E9228": (
        "The namespace of a job with a queue is in `namespaces`, and may use the queue (`namespaces[].queue`).",
        "The LocalQueues are made there alone, and the ClusterQueues admit jobs of no other namespace: the job waits.",
    ),
    "W9229": (
        "The namespace of a workload is in `namespaces` of its cluster.",
        "The environment makes those and sets their Pod Security level; in another one no level may be enforced.",
    ),
    "W9230": (
        "Checkpoints are below the folder that storage.lustre.sync mirrors to the bucket.",
        "What is written elsewhere on the file system is not in the bucket when the file system or its data is lost.",
    ),
    "W9231": (
        "The PersistentVolumeClaims that pods mount exist (`--claim`, `*.claim`).",
        (
            "The environment makes `lustre` in the namespaces of the file (`namespaces[].claims`), and no other one "
            "(docs/storage.md). A pod that mounts a claim that is not there stays Pending, and a reservation is billed "
            "while it does."
        ),
    ),
    "W9218": (
        "The group has nodes for all pods now (`count.desired`).",
        "Nothing adds nodes to a managed node group by itself, unless a cluster autoscaler runs.",
    ),
    "W9227": SCATTERED,
}

REFERENCES = {"W9227": SCATTERED_REFERENCES}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("92: workloads", "a workload for an environment", ROWS, REFERENCES)
