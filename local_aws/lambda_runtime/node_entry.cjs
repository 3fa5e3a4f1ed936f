// Runs the handler of a function of Node.js once. Argument: the folder of the invocation.
'use strict';
const fs = require('fs');
const http = require('http');
const https = require('https');
const Module = require('module');
const path = require('path');
const { pathToFileURL } = require('url');

const folder = process.argv[2];
const { event, requestId, arn, timeout } = JSON.parse(fs.readFileSync(path.join(folder, 'request.json'), 'utf8'));

// The response URL of a custom resource is on the local AWS, which has no certificate.
const endpoint = new URL(process.env.AWS_ENDPOINT_URL || 'http://127.0.0.1');
const secure = https.request;
https.request = (first, ...more) => {
  const asked = typeof first === 'string' || first instanceof URL ? new URL(first) : first;
  if ((asked.hostname || asked.host) !== endpoint.hostname) return secure(first, ...more);
  const options = asked instanceof URL
    ? { hostname: asked.hostname, path: asked.pathname + asked.search, ...(typeof more[0] === 'object' ? more.shift() : {}) }
    : asked;
  return http.request({ ...options, protocol: 'http:', port: endpoint.port, agent: undefined }, ...more);
};

// Lambda has the AWS SDK and, for inline code, cfn-response; a package that is installed wins over ours.
const resolve = Module._resolveFilename;
const load = Module._load;
Module._load = (name, ...rest) => {
  try {
    return load(name, ...rest);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND' || !error.message.includes(`'${name}'`)) throw error;
    if (name === 'cfn-response') return load(path.join(__dirname, 'modules', 'cfn-response.js'), ...rest);
    if (/^@aws-sdk\/client-[a-z0-9-]+$/.test(name)) return require('./aws_sdk.cjs').client(name);
    if (/^(@aws-sdk|@smithy)\//.test(name) || name === 'aws-sdk') {
      error.message = `the local AWS does not have the package ${name}: install it with npm in the folder where the `
        + 'local AWS runs, or put it into the code of the function';
    }
    throw error;
  }
};

const end = Date.now() + timeout * 1000;
let answered = false;
const answer = (error, payload) => {
  if (answered) return;
  answered = true;
  let found = { failed: false, payload: payload === undefined ? null : payload };
  if (error) {
    console.error('ERROR', 'Invoke Error', error && error.stack ? error.stack : error);
    const isError = error instanceof Error;
    found = {
      failed: true,
      payload: {
        errorType: isError ? error.name : typeof error,
        errorMessage: isError ? error.message : String(error),
        trace: isError && error.stack ? error.stack.split('\n') : [],
      },
    };
  }
  fs.writeFileSync(path.join(folder, 'answer.json'), JSON.stringify(found));
  process.exit(0);
};
const context = {
  awsRequestId: requestId,
  invokedFunctionArn: arn,
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  functionVersion: '$LATEST',
  memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
  logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
  logStreamName: requestId,
  callbackWaitsForEmptyEventLoop: true,
  getRemainingTimeInMillis: () => Math.max(0, end - Date.now()),
  done: (error, result) => answer(error, result),
  succeed: (result) => answer(null, result),
  fail: (error) => answer(error || new Error('failed')),
};

async function handlerOf() {
  const at = process.env._HANDLER.lastIndexOf('.');
  const file = path.join(process.env.LAMBDA_TASK_ROOT, process.env._HANDLER.slice(0, at));
  const name = process.env._HANDLER.slice(at + 1);
  const module = fs.existsSync(`${file}.mjs`) ? await import(pathToFileURL(`${file}.mjs`)) : require(resolve(file, null));
  if (typeof module[name] !== 'function') throw new Error(`${process.env._HANDLER} is undefined or not exported`);
  return module[name];
}

process.on('uncaughtException', (error) => answer(error));
process.on('unhandledRejection', (error) => answer(error));
handlerOf().then((handler) => {
  let later = null;
  process.on('beforeExit', () => answer(null, later));
  const returned = handler(event, context, (error, result) => {
    later = result;
    if (error || !context.callbackWaitsForEmptyEventLoop) answer(error, result);
  });
  if (returned && typeof returned.then === 'function') returned.then((result) => answer(null, result), answer);
}).catch(answer);
