"""Reports of users of other cluster tools: each has a finding, or the reason why it has none.

The first table maps a public thread to the findings that would have helped: of rules, of rules over templates (E81 to
E89) and Kubernetes objects (E88), about workloads (92, 93) and about the form of the file (E00). The second has those
that no file shows, by the reason. A thread that a finding cites is in the first.
"""

import re

import pytest

from neuron_cluster.findings.registry import finding_specs
from neuron_cluster.findings.spec import FindingSpec
from neuron_cluster.rules.discover import all_rules
from tests.every_case import every_case

ANSWERED = {
    # Interfaces, public addresses, launch templates
    "terraform-aws-modules/terraform-aws-eks#2654": ("E3060", "E8103", "E8107"),
    "terraform-aws-modules/terraform-aws-eks#3653": ("W3061",),
    "terraform-aws-modules/terraform-aws-eks#2182": ("W3021",),
    "aws/karpenter-provider-aws#6296": ("W3021", "E9302"),
    "terraform-aws-modules/terraform-aws-eks#3196": ("E1010",),
    "aws/karpenter-provider-aws#8898": ("E1010",),
    "aws-samples/aws-efa-eks#19": ("E8207",),
    "aws/karpenter-provider-aws#4267": ("E8108",),
    "aws/karpenter-provider-aws#5437": ("E8108",),
    "aws/aws-k8s-tester#522": ("E8106",),
    "aws/aws-k8s-tester#572": ("E8106",),
    "aws-neuron/aws-neuron-parallelcluster-samples#24": ("E3004",),
    "hashicorp/terraform-provider-aws#24289": ("E8107",),
    "hashicorp/terraform-provider-aws#24043": ("E8107",),
    "hashicorp/terraform-provider-aws#39850": ("E6514",),
    "awslabs/amazon-eks-ami#2710": ("E3073",),
    "awslabs/amazon-eks-ami#2712": ("E3073",),
    # Security groups, and what else EFA wants
    "aws/aws-ofi-nccl#663": ("E8125",),
    "aws-samples/amazon-eks-machine-learning-with-terraform-and-kubeflow#77": ("E3005", "E8125", "E8206"),
    "aws/deep-learning-containers#2675": ("W5002",),
    "aws/aws-cdk#17602": ("E8003",),
    # Zones
    "awslabs/data-on-eks#421": ("E1001", "W3003"),
    "eksctl-io/eksctl#6461": ("W3003",),
    "aws/aws-k8s-tester#588": ("W3003",),
    "aws-samples/aws-deep-learning-ami-ubuntu-dcv-desktop#25": ("E3005",),
    "pulumi/pulumi-eks#1593": ("E3005",),
    "eksctl-io/eksctl#5906": ("E3001",),
    # Checkpoints on Mountpoint for S3
    "safetensors/safetensors#792": ("E4110", "W4111"),
    "awslabs/mountpoint-s3-csi-driver#463": ("E4110",),
    # Capacity and placement
    "eksctl-io/eksctl#7949": ("E3006",),
    "terraform-aws-modules/terraform-aws-eks#3730": ("E3006", "E8112"),
    "aws/aws-parallelcluster#6311": ("E3006", "E8112"),
    "aws/aws-parallelcluster#1502": ("W3022", "W3023"),
    "eksctl-io/eksctl#7906": ("E0010", "E8111"),
    "eksctl-io/eksctl#8320": ("E0010", "E8111"),
    "eksctl-io/eksctl#8542": ("E0010", "E8111"),
    "eksctl-io/eksctl#8155": ("E8204",),
    "eksctl-io/eksctl#8207": ("E8204",),
    "terraform-aws-modules/terraform-aws-eks#1897": ("E8111",),
    "terraform-aws-modules/terraform-aws-eks#1979": ("E8111",),
    "aws/karpenter-provider-aws#8362": ("W3027", "E3043", "W3052"),
    "aws/aws-parallelcluster#1216": ("E3013", "W3003", "W3051"),
    "gardener/machine-controller-manager-provider-aws#114": ("E3041", "E8116"),
    "hashicorp/terraform-provider-aws#43881": ("E3041", "E8116"),
    "kubernetes-sigs/aws-fsx-csi-driver#311": ("E3086",),
    # Device plugins
    "aws/aws-cdk#29131": ("W5001",),
    "aws/aws-cdk#27427": ("W5001",),
    "eksctl-io/eksctl#3617": ("W5001",),
    "eksctl-io/eksctl#2329": ("E5006",),
    "aws/sagemaker-hyperpod-cli#444": ("E5006",),
    "aws/eks-charts#1183": ("E5006",),
    "aws/eks-charts#1348": ("E5006", "E5040"),
    "aws/eks-charts#1358": ("E5006",),
    "eksctl-io/eksctl#5090": ("E5006",),
    "eksctl-io/eksctl#8089": ("E5006",),
    "aws-samples/aws-do-eks#56": ("E5006", "E5040"),
    "eksctl-io/eksctl#6063": ("E5040", "E9301"),
    "terraform-aws-modules/terraform-aws-eks#2060": ("E8203",),
    # What pods ask for, and who places them
    "aws-neuron/aws-neuron-sdk#110": ("W9227", "W9306"),
    "aws/containers-roadmap#1735": ("W9227", "W9306"),
    "awslabs/ai-on-eks-charts#6": ("W9227", "W9306"),
    "prometheus-community/helm-charts#3658": ("W9077",),
    "aws/containers-roadmap#1282": ("W9313",),
    "kubernetes/k8s.io#5538": ("W9313",),
    "kubernetes-sigs/kueue#4848": ("E9308",),
    "kubernetes-sigs/kueue#11720": ("E9363",),
    "kubernetes-sigs/kueue#2119": ("W9309",),
    "aws-neuron/aws-neuron-sdk#109": ("E8807",),
    "aws/karpenter-provider-aws#3315": ("E9302",),
    "skypilot-org/skypilot#10168": ("E9302",),
    # Driver, runtime, image
    "aws-neuron/aws-neuron-sdk#655": ("E5010", "W5011", "W5012", "W3011", "W7010"),
    "aws-neuron/aws-neuron-sdk#812": ("E5010", "W5017", "W5031", "E7001"),
    "awslabs/amazon-eks-ami#1662": ("W5012", "W5013"),
    "awslabs/amazon-eks-ami#2579": ("E5024", "W5032", "E8203", "E7002"),
    "aws/amazon-ecs-ami#557": ("E5024", "W5032", "E7002"),
    "huggingface/optimum-neuron#572": ("W5030", "W7010"),
    "aws-neuron/aws-neuron-sdk#415": ("W5001",),
    "aws-neuron/aws-neuron-sdk#425": ("W5001",),
    "aws-neuron/aws-neuron-sdk#432": ("W5001",),
    # The kubectl layer, Helm, stacks, updates
    "aws/aws-cdk#8215": ("E8232",),
    "aws/aws-cdk#8713": ("E8232",),
    "aws/aws-cdk#22257": ("E8232",),
    "awslabs/cdk-eks-blueprints#508": ("E2006", "E5041", "E8233"),
    "aws/aws-cdk#15736": ("E2002",),
    "aws/aws-cdk#24580": ("E2002",),
    "aws/aws-cdk#34053": ("E2002",),
    "aws/karpenter-provider-aws#5784": ("E8242",),
    "aws/aws-cdk#34759": ("E2002",),
    "aws/aws-cdk#14692": ("E8701",),
    "aws/aws-cdk#28186": ("E8701",),
    "aws-samples/sample-autonomous-cloud-coding-agents#852": ("E2013", "E8701"),
    "aws/aws-cdk#13602": ("E3016",),
    "aws/containers-roadmap#1258": ("E3016",),
    "aws/aws-cdk#7273": ("W3011",),
    "aws/aws-cdk#20823": ("W3011",),
    "aws/containers-roadmap#2647": ("W3011",),
    # Lustre
    "kubernetes-sigs/aws-fsx-csi-driver#437": ("E8303",),
    "amazonlinux/amazon-linux-2023#723": ("E8303", "E8305"),
    # Quotas
    "GoogleCloudPlatform/cluster-toolkit#5092": ("W2014",),
    "GoogleCloudPlatform/cluster-toolkit#5140": ("W2014",),
    "GoogleCloudPlatform/cluster-toolkit#5422": ("W2014",),
    # Observability
    "aws-neuron/aws-neuron-sdk#793": ("E5060",),
    "aws-observability/helm-charts#129": ("E5040",),
}

NOT_IN_A_FILE = {
    "the interfaces are no key: the plan makes them from the catalog's row, and a unit test counts them": """
        aws-neuron/aws-neuron-eks-samples#10
        aws/aws-cdk#7928 aws/aws-cdk#30891 aws/aws-cdk#34327
        aws/aws-cdk#14494 aws/karpenter-provider-aws#9027 aws/karpenter-provider-aws#9071""",
    "it takes two states of the file; the next block is an edit that gives the launch template a new version": """
        kubernetes-sigs/cluster-api-provider-aws#5506""",
    "a list of names in another tool was behind AWS; here such names are rows of the catalog": """
        hashicorp/terraform-provider-aws#40876 aws/aws-cdk#29546 aws/aws-cdk#32418 awslabs/cdk-eks-blueprints#1006
        aws/karpenter-provider-aws#3555 aws/karpenter-provider-aws#6510 skypilot-org/skypilot#7948""",
    "the device plugin is the official chart, pinned in the catalog; no other path installs one": """
        aws/aws-cdk#29262 aws/aws-cdk#29651 aws-neuron/aws-neuron-sdk#707 awslabs/data-on-eks#664""",
    "it is a mistake inside other software that shows while it runs: scheduler extension, driver, compiler, agents": """
        aws-neuron/aws-neuron-sdk#1300 aws-neuron/aws-neuron-sdk#796 aws-neuron/aws-neuron-sdk#1338
        aws-neuron/aws-neuron-sdk#1369 huggingface/optimum-neuron#280 huggingface/optimum-neuron#352
        aws-observability/helm-charts#136 aws/eks-node-monitoring-agent#268""",
    "our charts decide it, not a values file: the variable that names the cache, and that it can be written": """
        aws-neuron/aws-neuron-sdk#1368 deepjavalibrary/djl-serving#1879""",
    "what nodes run beneath Kubernetes is no key: EKS images of Amazon Linux 2023 are the only ones, as they come": """
        aws-neuron/aws-neuron-driver#3 aws-neuron/aws-neuron-sdk#713
        bottlerocket-os/bottlerocket-core-kit#141 bottlerocket-os/bottlerocket#2685 bottlerocket-os/bottlerocket#3459
        kubernetes-sigs/aws-fsx-csi-driver#356 aws/aws-parallelcluster#2095
        aws-samples/amazon-eks-autonomous-driving-data-service#96""",
    "the stacks and their kubectl function are no key: synthesis would fail, or a unit test of the stack": """
        aws/aws-cdk#11248 aws/aws-cdk#7231 aws/aws-cdk#8884 aws/aws-cdk#9536 aws/aws-cdk#10020""",
    "it happens when an environment is destroyed: the order is that of the stacks, whatever the file says": """
        aws/aws-cdk#9970 aws/aws-cdk#18650 aws/aws-cdk#12130 aws/aws-cdk#18683 pulumi/pulumi-eks#640
        pulumi/pulumi-eks#382 terraform-aws-modules/terraform-aws-eks#2048""",
    "how many vCPUs it may run, an account alone says: the catalog has the exact code of the quota, no default": """
        awslabs/engineering-development-hub#80 aws/aws-parallelcluster#3863""",
    "it asks for a feature and reports no mistake": """
        aws-samples/amazon-eks-machine-learning-with-terraform-and-kubeflow#131""",
    "scripts and Slurm of HyperPod are no part of the file: its nodes join EKS, with a script that does nothing": """
        awslabs/awsome-distributed-ai#186 awslabs/awsome-distributed-ai#188 awslabs/awsome-distributed-ai#189
        awslabs/awsome-distributed-ai#532 aws-samples/sample-physical-ai-scaffolding-kit#14""",
}

THREAD = r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+#[1-9][0-9]*"
CITING = [pytest.param(page, id=page.id) for page in finding_specs().values() if page.references]


@every_case("page", CITING)
def test_threads_are_public_and_cited_once(page: FindingSpec) -> None:
    assert [thread for thread in page.references if not re.fullmatch(THREAD, thread)] == []
    assert len(set(page.references)) == len(page.references)


@every_case("page", CITING)
def test_what_a_finding_cites_is_in_the_table(page: FindingSpec) -> None:
    assert [thread for thread in page.references if page.id not in ANSWERED.get(thread, ())] == []


@every_case("thread", ANSWERED)
def test_an_answered_thread_is_cited_by_what_answers_it(thread: str) -> None:
    assert ANSWERED[thread]
    pages = finding_specs()
    assert [name for name in ANSWERED[thread] if name not in pages or thread not in pages[name].references] == []


def test_at_least_forty_rules_cite_somebody_whom_they_would_have_helped() -> None:
    assert sum(bool(rule.references) for rule in all_rules()) >= 40


def test_no_thread_is_both_answered_and_out_of_reach() -> None:
    out_of_reach = [thread for references in NOT_IN_A_FILE.values() for thread in references.split()]
    assert [thread for thread in out_of_reach if not re.fullmatch(THREAD, thread)] == []
    assert len(set(out_of_reach)) == len(out_of_reach)
    assert set(out_of_reach) & set(ANSWERED) == set()
