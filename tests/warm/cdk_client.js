#!/usr/bin/env node
// The CDK command of a test: its work is done by a process in which it runs already (`cdk.js`).
"use strict";
const net = require("net");
const path = require("path");
const readline = require("readline");

const SOCKET = path.join(__dirname, "socket");
const warm = net.connect(SOCKET, () => {
  warm.write(`${JSON.stringify({ argv: process.argv.slice(2), cwd: process.cwd(), env: process.env })}\n`);
  process.exitCode = 1; // unless it answers
  readline.createInterface(warm).on("line", (line) => {
    const { stream, text, status } = JSON.parse(line);
    if (stream) process[stream].write(text);
    else process.exitCode = status;
  });
});
warm.on("error", () => {
  if (!warm.connecting && process.exitCode === 1) return;
  process.setSourceMapsEnabled(true); // an interrupted command has ended it: the command itself
  require("../lib").cli();
});
