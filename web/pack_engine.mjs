// The engine of the playground as one JSON file: its worker's script, and the module packed and in base64.
//   node pack_engine.mjs ENGINE.js ENGINE.wasm WORKER.js OUTPUT
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [glue, module, worker, output] = process.argv.slice(2);
const script = `${readFileSync(glue, "utf8")}\n${readFileSync(worker, "utf8")}`;
const wasm = gzipSync(readFileSync(module), { level: 9 }).toString("base64");
writeFileSync(output, JSON.stringify({ worker: script, wasm }));
