"""A CDK app that has nothing to do with Neuron: prints its template, and the one after an edit.

Its output is ``tests/fixtures/other_project.json``, which a test deploys.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from aws_cdk import App, CfnOutput, CustomResource, DefaultStackSynthesizer, Duration, Environment, RemovalPolicy, Stack
from aws_cdk import aws_autoscaling as autoscaling
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_ecs as ecs
from aws_cdk import aws_elasticloadbalancingv2 as elbv2
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sqs as sqs

LAUNCH_TEMPLATES = "@aws-cdk/aws-autoscaling:generateLaunchTemplateInsteadOfLaunchConfig"
"""On in each project that ``cdk init`` makes."""
HANDLER = """
import cfnresponse

def handler(event, context):
    words = event["ResourceProperties"]["Words"]
    cfnresponse.send(event, context, cfnresponse.SUCCESS, {"Words": words.upper()}, "words")
"""


class OtherProject(Stack):
    """A queue, a custom resource, and an ECS service on an Auto Scaling group behind a load balancer."""

    def __init__(self, app: App, *, edited: bool) -> None:
        where = Environment(account="111122223333", region="us-west-2")
        synthesizer = DefaultStackSynthesizer(generate_bootstrap_version_rule=False)
        super().__init__(app, "shop", env=where, synthesizer=synthesizer)
        self.edited = edited
        dead = sqs.DeadLetterQueue(queue=sqs.Queue(self, "Dead"), max_receive_count=3)
        timeout = Duration.minutes(10 if edited else 5)
        sqs.Queue(self, "Orders", visibility_timeout=timeout, dead_letter_queue=dead)
        if edited:
            s3.Bucket(self, "Images", removal_policy=RemovalPolicy.DESTROY)
        self.custom_resource()
        vpc = ec2.Vpc(self, "Vpc", availability_zones=["us-west-2a", "us-west-2b"], nat_gateways=0)
        self.serve(vpc, self.cluster(vpc))

    def custom_resource(self) -> None:
        function = lambda_.Function(
            self,
            "Function",
            runtime=lambda_.Runtime.PYTHON_3_12,
            handler="index.handler",
            code=lambda_.Code.from_inline(HANDLER),
        )
        text = {"Words": "edited" if self.edited else "first"}
        made = CustomResource(self, "Words", service_token=function.function_arn, properties=text)
        CfnOutput(self, "Said", value=made.get_att_string("Words"))

    def cluster(self, vpc: ec2.Vpc) -> ecs.Cluster:
        cluster = ecs.Cluster(self, "Cluster", vpc=vpc, container_insights_v2=ecs.ContainerInsights.ENABLED)
        nodes = autoscaling.AutoScalingGroup(
            self,
            "Nodes",
            vpc=vpc,
            vpc_subnets=ec2.SubnetSelection(subnet_type=ec2.SubnetType.PUBLIC),
            instance_type=ec2.InstanceType("m7i.large"),
            machine_image=ecs.EcsOptimizedImage.amazon_linux2023(),
            min_capacity=1,
            max_capacity=4 if self.edited else 2,
        )
        self.provider = ecs.AsgCapacityProvider(
            self, "Provider", auto_scaling_group=nodes, enable_managed_termination_protection=False
        )
        cluster.add_asg_capacity_provider(self.provider)
        return cluster

    def serve(self, vpc: ec2.Vpc, cluster: ecs.Cluster) -> None:
        task = ecs.Ec2TaskDefinition(self, "Task")
        image = ecs.ContainerImage.from_registry("nginx:2" if self.edited else "nginx:1")
        ports = [ecs.PortMapping(container_port=80)]
        task.add_container("web", image=image, memory_limit_mib=256, port_mappings=ports)
        strategy = ecs.CapacityProviderStrategy(capacity_provider=self.provider.capacity_provider_name, weight=1)
        service = ecs.Ec2Service(
            self,
            "Service",
            cluster=cluster,
            task_definition=task,
            capacity_provider_strategies=[strategy],
            desired_count=3 if self.edited else 2,
        )
        balancer = elbv2.ApplicationLoadBalancer(self, "Balancer", vpc=vpc, internet_facing=True)
        check = elbv2.HealthCheck(path="/ready") if self.edited else None
        balancer.add_listener("Http", port=80).add_targets("Web", port=80, targets=[service], health_check=check)


def templates() -> dict[str, Any]:
    """Returns the templates by ``first`` and ``edited``."""
    made = {}
    for name in ("first", "edited"):
        app = App(context={LAUNCH_TEMPLATES: True})
        OtherProject(app, edited=name == "edited")
        made[name] = app.synth().get_stack_by_name("shop").template
    return made


if __name__ == "__main__":
    sys.stdout.write(json.dumps(templates(), indent=1) + "\n")
