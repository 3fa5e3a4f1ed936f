"""A training cluster in the CDK app of a team: a cluster of CDK, nodes and storage of the Neuron Cluster Toolkit."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_eks_v2 as eks
from aws_cdk import aws_iam as iam
from constructs import Construct

from neuron_cluster.cdk import NeuronBucket, NeuronLaunchTemplate, NeuronNetwork, NeuronNodeGroup

REGION = "us-west-2"
TRAINING_ZONE, OTHER_ZONE = "usw2-az4", "usw2-az1"
"""Zone ids: trn1.32xlarge is offered in the first one, and an EKS cluster needs two."""


class Training(cdk.Stack):
    """`cdk deploy -c nodes=4` starts nodes; without it there is none, and none is billed."""

    def __init__(self, scope: Construct, construct_id: str) -> None:
        super().__init__(scope, construct_id, env=cdk.Environment(region=REGION))
        network = NeuronNetwork(
            self, "Network", cidr="10.40.0.0/16", availability_zones=[TRAINING_ZONE, OTHER_ZONE], nat="single"
        )
        data = NeuronBucket(self, "Data", expire_days={"compile-cache/": 90})
        cluster = self._cluster(network, data)
        nodes = int(self.node.try_get_context("nodes") or 0)
        NeuronNodeGroup(
            self,
            "Training",
            cluster=cluster,
            name="training",
            instance_type="trn1.32xlarge",
            network=network,
            availability_zone=TRAINING_ZONE,
            count={"min": 0, "desired": nodes, "max": 4},
        )
        debug = NeuronLaunchTemplate(
            self,
            "Debug",
            instance_type="trn1.2xlarge",
            availability_zone=TRAINING_ZONE,
            security_group_ids=[cluster.cluster_security_group_id],
            tags={"Name": "debug"},
        )
        cdk.CfnOutput(self, "Bucket", value=data.bucket.bucket_name)
        cdk.CfnOutput(self, "DebugTemplate", value=debug.launch_template_id)

    def _cluster(self, network: NeuronNetwork, data: NeuronBucket) -> eks.ICluster:
        """A resource of CDK between constructs of the toolkit; a cluster that exists needs its names alone."""
        role = iam.Role(
            self,
            "ClusterRole",
            assumed_by=iam.ServicePrincipal("eks.amazonaws.com"),
            managed_policies=[iam.ManagedPolicy.from_aws_managed_policy_name("AmazonEKSClusterPolicy")],
        )
        resource = eks.CfnCluster(
            self,
            "Cluster",
            role_arn=role.role_arn,
            resources_vpc_config=eks.CfnCluster.ResourcesVpcConfigProperty(
                subnet_ids=list(network.private_subnet_ids.values()),
                endpoint_private_access=True,
                endpoint_public_access=False,
            ),
            access_config=eks.CfnCluster.AccessConfigProperty(authentication_mode="API"),
            encryption_config=[
                eks.CfnCluster.EncryptionConfigProperty(
                    provider=eks.CfnCluster.ProviderProperty(key_arn=data.key.key_arn), resources=["secrets"]
                )
            ],
        )
        return eks.Cluster.from_cluster_attributes(
            self,
            "ImportedCluster",
            cluster_name=resource.ref,
            cluster_security_group_id=resource.attr_cluster_security_group_id,
        )


if __name__ == "__main__":
    app = cdk.App()
    Training(app, "research-training")
    app.synth()
