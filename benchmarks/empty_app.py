"""The yardstick for synthesis: CDK with nothing of ours."""

import aws_cdk as cdk

app = cdk.App(analytics_reporting=False)
stack = cdk.Stack(app, "Empty")
cdk.CfnResource(stack, "Topic", type="AWS::SNS::Topic")
app.synth()
