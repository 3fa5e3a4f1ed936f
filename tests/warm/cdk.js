// A process that loads the CDK command once and runs it, for one project after another.
//
//     node cdk.js AWS_CDK SOCKET
//
// Loading is most of a run on the local AWS. The package in the folder AWS_CDK is unmodified; `cdk_client.js` asks.
"use strict";
const net = require("net");
const readline = require("readline");

const [folder, socket] = process.argv.slice(2);
const { exec } = require(`${folder}/lib`);
const write = { stdout: process.stdout.write.bind(process.stdout), stderr: process.stderr.write.bind(process.stderr) };

/** Runs the command once: `{argv, cwd, env}`. Variables and folder are the process's own, so one run follows another. */
async function run(asked, say) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, asked.env);
  process.chdir(asked.cwd);
  for (const stream of ["stdout", "stderr"]) {
    process[stream].write = (text, encoding, done) => {
      say({ stream, text: text.toString() });
      (typeof encoding === "function" ? encoding : done)?.();
      return true;
    };
  }
  try {
    const status = await exec(asked.argv);
    return typeof status === "number" ? status : 0;
  } catch (error) {
    console.error(error.message);
    return 1;
  } finally {
    for (const stream of ["stdout", "stderr"]) process[stream].write = write[stream];
    process.chdir("/");
  }
}

let last = Promise.resolve();
const server = net.createServer((client) => {
  let ended = false;
  client.on("error", () => {});
  client.on("close", () => ended || process.exit(1)); // who asked was killed, and the command with it
  readline.createInterface(client).once("line", (line) => {
    const say = (part) => client.write(`${JSON.stringify(part)}\n`);
    last = last.then(async () => {
      const status = await run(JSON.parse(line), say);
      ended = true;
      client.end(`${JSON.stringify({ status })}\n`);
    });
  });
});
process.stdin.resume().on("end", () => process.exit()); // who started it has ended, however it did
server.listen(socket, () => write.stdout("listening\n"));
