// The module that CloudFormation puts beside inline code of Node.js functions.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/cfn-lambda-function-code-cfnresponsemodule.html
'use strict';
const https = require('https');

exports.SUCCESS = 'SUCCESS';
exports.FAILED = 'FAILED';
exports.send = (event, context, status, data, physicalResourceId, noEcho) => {
  const url = new URL(event.ResponseURL);
  const body = JSON.stringify({
    Status: status,
    Reason: `See the details in CloudWatch Log Stream: ${context.logStreamName}`,
    PhysicalResourceId: physicalResourceId || context.logStreamName,
    StackId: event.StackId,
    RequestId: event.RequestId,
    LogicalResourceId: event.LogicalResourceId,
    NoEcho: noEcho || false,
    Data: data,
  });
  const headers = { 'content-type': '', 'content-length': Buffer.byteLength(body) };
  const options = { hostname: url.hostname, port: 443, path: url.pathname + url.search, method: 'PUT', headers };
  const request = https.request(options, (response) => {
    response.resume();
    context.done();
  });
  request.on('error', () => context.done());
  request.end(body);
};
