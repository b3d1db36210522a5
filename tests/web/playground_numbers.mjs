// The numbers of the playground's engine are the program's: every scenario of the gallery, all that is recorded of it,
// bit for bit.
// The engine runs in Node.js, whose WebAssembly is that of a browser.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

const program = process.env.RICOCHET ?? "build/ricochet";
const built = join(dirname(program), "playground", "engine.json");
if (!existsSync(built)) {
  console.log("skipped: this build has no engine for pages");
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), "ricochet-numbers-"));
const ricochet = (...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });

// What a worker of the page has, as far as the engine asks for it.
async function start_engine() {
  const { worker, wasm } = JSON.parse(readFileSync(built, "utf8"));
  let answered;
  Object.assign(globalThis, { self: globalThis, importScripts() {}, location: { href: "" }, postMessage: (text) => answered(JSON.parse(text)) });
  (0, eval)(worker);
  onmessage({ data: await WebAssembly.compile(gunzipSync(Buffer.from(wasm, "base64"))) });
  return (request) => new Promise((done) => {
    answered = done;
    onmessage({ data: JSON.stringify(request) });
  });
}

const ask = await start_engine();
const names = JSON.parse(ricochet("gallery", "--json")).map((one) => one.name);
const failed = [];
for (const name of names) {
  const answer = await ask({ ask: "csv", text: ricochet("gallery", name), set: [], seconds: 300 });
  // A few end with an exit code of their own: Painlevé's rod stops.
  spawnSync(program, ["run", `gallery:${name}`, "-o", "there.csv"], { cwd: folder });
  if (answer.error) failed.push(`${name}: ${answer.error}`);
  else if (answer.csv !== readFileSync(join(folder, "there.csv"), "utf8")) failed.push(`${name}: the numbers differ`);
}
rmSync(folder, { recursive: true, force: true });
for (const one of failed) console.log(`failed: ${one}`);
console.log(`${names.length - failed.length} of ${names.length} scenarios bit for bit`);
process.exit(names.length > 40 && failed.length === 0 ? 0 : 1);
