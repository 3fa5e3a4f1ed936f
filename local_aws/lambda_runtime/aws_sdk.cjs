// Clients of the AWS SDK for JavaScript v3, which Lambda has beside the code of every function of Node.js.
// Calls go through boto3: names of operations and members are the same, since both are made from the same models.
'use strict';
const { spawn, spawnSync } = require('child_process');
const path = require('path');
const readline = require('readline');

const PYTHON = process.env.LOCAL_AWS_PYTHON;
const BRIDGE = ['-I', path.join(__dirname, 'sdk_bridge.py')];
const waiting = new Map();
let bridge = null;
let number = 0;

function encoded(value) {
  if (value instanceof Uint8Array) return { $blob: Buffer.from(value).toString('base64') };
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Array.isArray(value)) return value.map(encoded);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined).map(([k, v]) => [k, encoded(v)]));
}

function decoded(value) {
  if (Array.isArray(value)) return value.map(decoded);
  if (value === null || typeof value !== 'object') return value;
  if (typeof value.$date === 'string') return new Date(value.$date);
  if (typeof value.$blob === 'string') {
    const bytes = new Uint8Array(Buffer.from(value.$blob, 'base64'));
    bytes.transformToString = async (encoding) => Buffer.from(bytes).toString(encoding || 'utf8');
    bytes.transformToByteArray = async () => bytes;
    return bytes;
  }
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, decoded(v)]));
}

function call(service, errors, config, operation, input) {
  if (bridge === null) {
    bridge = spawn(PYTHON, BRIDGE, { stdio: ['pipe', 'pipe', 'inherit'] });
    readline.createInterface({ input: bridge.stdout }).on('line', (line) => {
      const { id, result, error } = JSON.parse(line);
      const { resolve, reject, errors: known } = waiting.get(id);
      waiting.delete(id);
      if (!error) return resolve(decoded(result));
      const failure = new (known[error.name] || Error)(error.message);
      Object.assign(failure, { name: error.name, Code: error.name, $metadata: { httpStatusCode: error.status } });
      return reject(failure);
    });
  }
  return new Promise((resolve, reject) => {
    number += 1;
    waiting.set(number, { resolve, reject, errors });
    bridge.stdin.write(`${JSON.stringify({ id: number, service, operation, region: config.region, input: encoded(input || {}) })}\n`);
  });
}

exports.client = (name) => {
  const asked = spawnSync(PYTHON, [...BRIDGE, name.slice('@aws-sdk/client-'.length)], { encoding: 'utf8' });
  if (asked.status !== 0) throw new Error(`the local AWS has no ${name}: ${asked.stderr.trim()}`);
  const { service, prefix, operations, errors } = JSON.parse(asked.stdout);
  const found = {};
  for (const each of errors) found[each] = class extends Error {};
  class Client {
    constructor(config) {
      this.settings = { ...config };
      for (const part of ['credentials', 'endpoint']) {
        if (this.settings[part] !== undefined) {
          throw new Error(`the local AWS does not support ${part} of a client of ${name}: install the package with npm`);
        }
      }
      this.config = { ...config, region: async () => this.settings.region || process.env.AWS_REGION };
      this.middlewareStack = { add: () => {}, use: () => {} };
    }
    send(command, more) {
      const sent = call(service, found, this.settings, command.operation, command.input);
      const back = typeof more === 'function' ? more : null;
      return back ? void sent.then((result) => back(null, result), (error) => back(error)) : sent;
    }
    destroy() {}
  }
  class Aggregated extends Client {}
  const exported = { [`${prefix}Client`]: Client, [prefix]: Aggregated, ...found };
  for (const operation of operations) {
    const Command = class { constructor(input) { this.input = input; this.operation = operation; } };
    exported[`${operation}Command`] = Command;
    const method = operation[0].toLowerCase() + operation.slice(1);
    Aggregated.prototype[method] = function send(input, more) { return this.send(new Command(input), more); };
  }
  return new Proxy(exported, {
    get(target, key) {
      if (key in target || typeof key !== 'string' || !/^(paginate|waitUntil)/.test(key)) return target[key];
      return () => { throw new Error(`the local AWS does not have ${key} of ${name}: install the package with npm`); };
    },
  });
};
