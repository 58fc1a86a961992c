// What Node.js itself offers: a script that does nothing, run in a context, for
// MILLISECONDS, with or without a timeout. Prints what came of it as JSON, in
// the form of bench/peers_test.go.
//
//   node vm.js vm|vm+timeout MILLISECONDS
"use strict";

const fs = require("fs");
const vm = require("vm");

const [mode, milliseconds] = process.argv.slice(2);
const options = { vm: {}, "vm+timeout": { timeout: 2000 } }[mode];
if (options === undefined || !(milliseconds > 0)) throw new Error("usage: vm.js vm|vm+timeout MILLISECONDS");

const script = new vm.Script("");
const context = vm.createContext({});

// Looking at the clock after each would count; a batch is far below a millisecond
// without a timeout, and some milliseconds with one.
const batch = 100;

function run(length) {
  const begin = process.hrtime.bigint();
  const end = begin + BigInt(Math.round(length * 1e6));
  let executions = 0;
  do {
    for (let i = 0; i < batch; i++) script.runInContext(context, options);
    executions += batch;
  } while (process.hrtime.bigint() < end);
  return { executions, ns: Number(process.hrtime.bigint() - begin) };
}

const warmUp = run(milliseconds / 5); // until it is as fast as it gets
const result = run(+milliseconds);
const status = fs.readFileSync("/proc/self/status", "utf8");
const field = (name) => +status.match(new RegExp(`^${name}:\\s*(\\d+)`, "m"))[1];
const total = warmUp.executions + result.executions;
console.log(JSON.stringify({ ...result, total, threads: field("Threads"), peakKiB: field("VmHWM") }));
