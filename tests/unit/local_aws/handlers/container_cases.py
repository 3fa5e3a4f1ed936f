"""Round trips of container services, load balancers and what another project's stacks have besides."""

from __future__ import annotations

from typing import Any

TAGS = [{"Key": "Name", "Value": "first"}, {"Key": "gone", "Value": "later"}]
NEW_TAGS = [{"Key": "Name", "Value": "second"}]
SCALING = "arn:aws:autoscaling:us-west-2:200000000000:autoScalingGroup:1:autoScalingGroupName/nodes"
ROLE = "arn:aws:iam::200000000000:role/tasks"
NETWORK = {"AwsvpcConfiguration": {"Subnets": ["{subnet}"], "SecurityGroups": ["{group}"], "AssignPublicIp": "ENABLED"}}
FORWARD = {"Type": "forward", "TargetGroupArn": "{targets}"}
REFUSE = {"Type": "fixed-response", "FixedResponseConfig": {"StatusCode": "404", "ContentType": "text/plain"}}
DEFINITION = {
    "Family": "serves",
    "ContainerDefinitions": [{"Name": "web", "Image": "nginx", "Memory": 512, "PortMappings": [{"ContainerPort": 80}]}],
    "Cpu": "256",
    "Memory": "512",
    "EphemeralStorage": {"SizeInGiB": 30},
    "ExecutionRoleArn": ROLE,
    "InferenceAccelerators": [{"DeviceName": "device", "DeviceType": "eia2.medium"}],
    "IpcMode": "none",
    "NetworkMode": "awsvpc",
    "PidMode": "task",
    "PlacementConstraints": [{"Type": "memberOf", "Expression": "attribute:ecs.instance-type =~ trn1.*"}],
    "ProxyConfiguration": {"ContainerName": "web", "Type": "APPMESH"},
    "RequiresCompatibilities": ["EC2", "FARGATE"],
    "RuntimePlatform": {"CpuArchitecture": "ARM64", "OperatingSystemFamily": "LINUX"},
    "TaskRoleArn": ROLE,
    "Volumes": [{"Name": "scratch"}],
}
SERVICE = {
    "Cluster": "held",
    "DeploymentController": {"Type": "ECS"},
    "NetworkConfiguration": NETWORK,
    "Role": ROLE,
    "SchedulingStrategy": "REPLICA",
    "ServiceName": "web",
    "TaskDefinition": "{definition}",
}
TARGETS = {
    "IpAddressType": "ipv4",
    "Name": "web",
    "Port": 80,
    "Protocol": "HTTP",
    "ProtocolVersion": "HTTP1",
    "TargetType": "ip",
    "VpcId": "{vpc}",
}
BALANCER = {
    "Name": "web",
    "Scheme": "internal",
    "Type": "application",
}


def policy(action: str, **more: Any) -> dict[str, Any]:
    """A document that allows one action."""
    statement = {"Effect": "Allow", "Action": action, **(more or {"Resource": "*"})}
    return {"Version": "2012-10-17", "Statement": [statement]}


CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "AWS::ECS::Cluster": (
        {
            "ClusterName": "web",
            "CapacityProviders": ["FARGATE", "FARGATE_SPOT"],
            "ClusterSettings": [{"Name": "containerInsights", "Value": "enhanced"}],
            "Configuration": {"ExecuteCommandConfiguration": {"Logging": "DEFAULT"}},
            "DefaultCapacityProviderStrategy": [{"CapacityProvider": "FARGATE", "Weight": 1}],
            "ServiceConnectDefaults": {"Namespace": "web"},
            "Tags": TAGS,
        },
        {"ClusterName": "web", "CapacityProviders": ["FARGATE"], "Tags": NEW_TAGS},
    ),
    "AWS::ECS::CapacityProvider": (
        {
            "Name": "nodes",
            "AutoScalingGroupProvider": {
                "AutoScalingGroupArn": SCALING,
                "ManagedDraining": "DISABLED",
                "ManagedScaling": {"Status": "ENABLED", "TargetCapacity": 80},
                "ManagedTerminationProtection": "ENABLED",
            },
            "Tags": TAGS,
        },
        {
            "Name": "nodes",
            "AutoScalingGroupProvider": {
                "AutoScalingGroupArn": SCALING,
                "ManagedScaling": {"Status": "DISABLED", "TargetCapacity": 100},
                "ManagedDraining": "ENABLED",
            },
            "Tags": NEW_TAGS,
        },
    ),
    "AWS::ECS::ClusterCapacityProviderAssociations": (
        {
            "Cluster": "held",
            "CapacityProviders": ["FARGATE", "FARGATE_SPOT"],
            "DefaultCapacityProviderStrategy": [{"CapacityProvider": "FARGATE_SPOT", "Base": 1, "Weight": 4}],
        },
        {"Cluster": "held", "DefaultCapacityProviderStrategy": [{"CapacityProvider": "FARGATE", "Weight": 1}]},
    ),
    "AWS::ECS::TaskDefinition": ({**DEFINITION, "Tags": TAGS}, {**DEFINITION, "Tags": NEW_TAGS}),
    "AWS::ECS::Service": (
        {
            **SERVICE,
            "AvailabilityZoneRebalancing": "DISABLED",
            "CapacityProviderStrategy": [{"CapacityProvider": "FARGATE_SPOT", "Weight": 2}],
            "DeploymentConfiguration": {
                "DeploymentCircuitBreaker": {"Enable": True, "Rollback": True},
                "MaximumPercent": 150,
                "MinimumHealthyPercent": 50,
            },
            "DesiredCount": 3,
            "EnableECSManagedTags": True,
            "EnableExecuteCommand": True,
            "HealthCheckGracePeriodSeconds": 600,
            "LoadBalancers": [{"ContainerName": "web", "ContainerPort": 80, "TargetGroupArn": "{targets}"}],
            "PlacementConstraints": [{"Type": "distinctInstance"}],
            "PlacementStrategies": [{"Type": "spread", "Field": "attribute:ecs.availability-zone"}],
            "PlatformVersion": "1.4.0",
            "PropagateTags": "SERVICE",
            "ServiceRegistries": [{"RegistryArn": "arn:aws:servicediscovery:us-west-2:200000000000:service/srv-1"}],
            "Tags": TAGS,
        },
        {**SERVICE, "Tags": NEW_TAGS},
    ),
    "AWS::ECS::Service (launch type)": (
        {**SERVICE, "LaunchType": "FARGATE", "DesiredCount": 2},
        {**SERVICE, "LaunchType": "FARGATE", "DesiredCount": 0},
    ),
    "AWS::ElasticLoadBalancingV2::LoadBalancer": (
        {
            **BALANCER,
            "IpAddressType": "dualstack",
            "LoadBalancerAttributes": [
                {"Key": "access_logs.s3.bucket", "Value": "logs"},
                {"Key": "access_logs.s3.prefix", "Value": "web"},
                {"Key": "deletion_protection.enabled", "Value": "false"},
                {"Key": "load_balancing.cross_zone.enabled", "Value": "true"},
            ],
            "SecurityGroups": ["{group}"],
            "Subnets": ["{subnet}", "{other subnet}"],
            "Tags": TAGS,
        },
        {
            **BALANCER,
            "SecurityGroups": ["{other group}"],
            "Subnets": ["{subnet}", "{third subnet}"],
            "Tags": NEW_TAGS,
        },
    ),
    "AWS::ElasticLoadBalancingV2::TargetGroup": (
        {
            **TARGETS,
            "HealthCheckIntervalSeconds": 15,
            "HealthCheckPath": "/ready",
            "HealthCheckPort": "8080",
            "HealthCheckProtocol": "HTTPS",
            "HealthCheckTimeoutSeconds": 7,
            "HealthyThresholdCount": 3,
            "Matcher": {"HttpCode": "200-299"},
            "TargetGroupAttributes": [
                {"Key": "deregistration_delay.timeout_seconds", "Value": "60"},
                {"Key": "load_balancing.algorithm.type", "Value": "least_outstanding_requests"},
                {"Key": "load_balancing.cross_zone.enabled", "Value": "true"},
                {"Key": "slow_start.duration_seconds", "Value": "30"},
                {"Key": "stickiness.enabled", "Value": "true"},
                {"Key": "stickiness.type", "Value": "lb_cookie"},
                {"Key": "waf.fail_open.enabled", "Value": "true"},
            ],
            "Tags": TAGS,
            "UnhealthyThresholdCount": 4,
        },
        {**TARGETS, "Tags": NEW_TAGS},
    ),
    "AWS::ElasticLoadBalancingV2::Listener": (
        {
            "Certificates": [{"CertificateArn": "{certificate}"}],
            "DefaultActions": [FORWARD],
            "ListenerAttributes": [{"Key": "tcp.idle_timeout.seconds", "Value": "400"}],
            "LoadBalancerArn": "{balancer}",
            "Port": 443,
            "Protocol": "HTTPS",
            "SslPolicy": "ELBSecurityPolicy-TLS13-1-2-2021-06",
            "Tags": TAGS,
        },
        {
            "DefaultActions": [REFUSE],
            "LoadBalancerArn": "{balancer}",
            "Port": 80,
            "Protocol": "HTTP",
            "Tags": NEW_TAGS,
        },
    ),
    "AWS::SNS::Subscription": (
        {
            "DeliveryPolicy": {"healthyRetryPolicy": {"numRetries": 3}},
            "Endpoint": "{queue}",
            "FilterPolicy": {"kind": ["job"]},
            "FilterPolicyScope": "MessageBody",
            "Protocol": "sqs",
            "RawMessageDelivery": True,
            "RedrivePolicy": {"deadLetterTargetArn": "{queue}"},
            "SubscriptionRoleArn": ROLE,
            "TopicArn": "{topic}",
        },
        {"Endpoint": "{queue}", "Protocol": "sqs", "TopicArn": "{topic}"},
    ),
    "AWS::StepFunctions::Activity": (
        {"Name": "approves", "EncryptionConfiguration": {"Type": "AWS_OWNED_KEY"}, "Tags": TAGS},
        {"Name": "approves", "EncryptionConfiguration": {"Type": "AWS_OWNED_KEY"}, "Tags": NEW_TAGS},
    ),
    "AWS::IAM::RolePolicy": (
        {"RoleName": "{role}", "PolicyName": "reads", "PolicyDocument": policy("s3:GetObject")},
        {"RoleName": "{role}", "PolicyName": "reads", "PolicyDocument": policy("s3:ListBucket")},
    ),
    "AWS::EC2::CarrierGateway": ({"VpcId": "{vpc}", "Tags": TAGS}, {"VpcId": "{vpc}", "Tags": NEW_TAGS}),
}


def make_ground(bench: Any, vpc: str, subnet: str) -> dict[str, str]:
    """Returns the ids to which the cases refer, by name."""
    zones = (("10.0.2.0/24", "usw2-az2"), ("10.0.3.0/24", "usw2-az3"))
    others = [
        bench.create("AWS::EC2::Subnet", {"VpcId": vpc, "CidrBlock": block, "AvailabilityZoneId": zone}).physical_id
        for block, zone in zones
    ]
    groups = [
        bench.client("ec2").create_security_group(GroupName=name, Description=name, VpcId=vpc)["GroupId"]
        for name in ("web", "other")
    ]
    bench.create("AWS::ECS::Cluster", {"ClusterName": "held"})
    names = {"vpc": vpc, "subnet": subnet, "other subnet": others[0], "third subnet": others[1]}
    trust = policy("sts:AssumeRole", Principal={"Service": "ecs-tasks.amazonaws.com"})
    held = {"Name": "held", "SecurityGroups": groups[:1], "Subnets": [subnet, others[0]]}
    targets = {**TARGETS, "Name": "held", "VpcId": vpc}
    return names | {
        "group": groups[0],
        "other group": groups[1],
        "definition": bench.create("AWS::ECS::TaskDefinition", {**DEFINITION, "Family": "held"}).physical_id,
        "balancer": bench.create("AWS::ElasticLoadBalancingV2::LoadBalancer", held).physical_id,
        "targets": bench.create("AWS::ElasticLoadBalancingV2::TargetGroup", targets).physical_id,
        "certificate": bench.client("acm").request_certificate(DomainName="web.example")["CertificateArn"],
        "queue": bench.create("AWS::SQS::Queue", {"QueueName": "calls"}).attributes["Arn"],
        "topic": bench.create("AWS::SNS::Topic", {"TopicName": "held"}).physical_id,
        "role": bench.create("AWS::IAM::Role", {"AssumeRolePolicyDocument": trust}).physical_id,
    }
