// The playground in a browser: errors in place, sliders, links, two schemes, a phone.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blue, check, finish, folder, ink, open, ricochet } from "./browser.mjs";

const program = process.env.RICOCHET ?? "build/ricochet";
if (!existsSync(join(dirname(program), "playground", "engine.json"))) {
  console.log("skipped: this build has no engine for pages");
  process.exit(77);
}

// The engine by itself, in a worker that the page's policy allows.
async function asked(page, requests) {
  return page.evaluate(async ([script, packed, list]) => {
    const bytes = Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
    const module = await WebAssembly.compile(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
    const worker = new Worker(URL.createObjectURL(new Blob([script])));
    worker.postMessage(module);
    const answers = [];
    for (const request of list) {
      const answer = await new Promise((done, failed) => {
        worker.onmessage = (event) => done(JSON.parse(event.data));
        worker.onerror = (event) => failed(new Error(event.message));
        worker.postMessage(JSON.stringify(request));
      });
      delete answer.page;
      answers.push(answer);
    }
    worker.terminate();
    return answers;
  }, [engine.worker, engine.wasm, requests]);
}

const canvas = (page) => page.locator(".run-view .time-plot canvas").first();
const answered = (page) => page.evaluate(() => document.documentElement.dataset.answered);
// Waits until the page has an answer to what `work` does.
async function after(page, work) {
  await page.evaluate(() => delete document.documentElement.dataset.answered);
  await work();
  await page.waitForFunction(() => document.documentElement.dataset.answered);
}
const picture = (locator) => locator.evaluate((one) => one.toDataURL());
const scenario = (page) => page.locator(".editor textarea");

async function moves_a_slider(page) {
  const before = await picture(canvas(page));
  const slider = page.locator('input[type=range][data-key="model.constraint.floor.restitution"]');
  await after(page, () => slider.fill("0.5"));
  check((await picture(canvas(page))) !== before, "a slider changes the motion");
  check(/restitution = 0\.5\b/.test(await scenario(page).inputValue()), "the number changes in the text");
  check((await scenario(page).inputValue()).includes("#"), "the comments stay");
  // A number that the text does not give.
  await after(page, () => page.locator('input[type=range][data-key="initial.v.x"]').fill("1"));
  check(await blue(canvas(page)) > 40, "the curve is drawn");
  // From a move to the new curve, drawn.
  const times = [];
  for (let k = 0; k < 20; ++k)
    times.push(await page.evaluate(async (value) => {
      const slider = document.querySelector('input[data-key="model.parameters.g"]');
      delete document.documentElement.dataset.answered;
      const begin = performance.now();
      slider.value = value;
      slider.dispatchEvent(new Event("input"));
      while (!document.documentElement.dataset.answered) await new Promise((done) => setTimeout(done));
      return performance.now() - begin;
    }, String(5 + 0.2 * k)));
  times.sort((a, b) => a - b);
  console.log(`from a slider to the curve: median ${times[10].toFixed(0)} ms, slowest ${times[19].toFixed(0)} ms`);
}

async function shows_errors(page) {
  const good = await scenario(page).inputValue();
  await scenario(page).fill(good.replace(/restitution = [\d.]+/, "restitution = 1.7"));
  await page.locator(".error-here").waitFor({ state: "visible" });
  const bad = join(folder, "bad.toml");
  writeFileSync(bad, await scenario(page).inputValue());
  let said = "";
  try {
    execFileSync(program, ["run", bad], { cwd: folder, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    said = error.stderr;
  }
  const [, line, column, sentence] = /bad\.toml:(\d+):(\d+): (.*)/.exec(said) ?? [];
  const shown = await page.locator(".error-here").textContent();
  check(sentence && shown === `Line ${line}, column ${column}: ${sentence}`, `the program's sentence: ${said} | ${shown}`);
  check((await page.locator(".editor mark.word").textContent()) === "1.7", "the place is marked");
  await after(page, () => scenario(page).fill(good));
  check(!(await page.locator(".error-here").isVisible()), "the error goes");
}

async function links(page) {
  await page.getByRole("button", { name: "Link", exact: true }).click();
  await page.waitForFunction(() => location.hash.startsWith("#s="));
  const [hash, text] = await page.evaluate(() => [location.hash, document.querySelector(".editor textarea").value]);
  const other = await open(`play.html${hash}`);
  await other.waitForFunction(() => document.documentElement.dataset.playing);
  check((await scenario(other).inputValue()) === text, "the link carries the text");
  check((await picture(canvas(other))) === (await picture(canvas(page))), "and its motion");
  await other.close();
  // Markup in an address is text.
  const evil = Buffer.from(execFileSync(process.execPath, ["-e", `process.stdout.write(require("zlib").deflateRawSync(JSON.stringify({ text: "title = \\"<img src=x onerror=alert(1)>\\"", scheme: "<b>x</b>" })))`])).toString("base64url");
  const harmless = await open(`play.html#s=${evil}`);
  await harmless.locator(".error-here").waitFor({ state: "visible" });
  check((await harmless.locator("#ricochet-page img, #ricochet-page b").count()) === 0, "no markup from an address");
  await harmless.close();
}

async function compares(page) {
  await after(page, () => page.getByLabel("Compare with").selectOption("paoli-schatzman"));
  await page.locator(".run-view").nth(1).locator(".time-plot canvas").first().waitFor();
  check((await page.locator(".run-view .scheme strong").allTextContents()).join() === "moreau-jean,paoli-schatzman", "two schemes side by side");
  await after(page, () => page.getByLabel("Compare with").selectOption(""));
  check((await page.locator(".run-view").count()) === 1, "and one again");
}

async function downloads(page) {
  const file = async (name) => {
    const [one] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
    return readFileSync(await one.path(), "utf8");
  };
  writeFileSync(join(folder, "taken.toml"), await file("TOML"));
  ricochet("run", "taken.toml", "-o", "taken.csv");
  check((await file("CSV")) === readFileSync(join(folder, "taken.csv"), "utf8"), "the CSV is the program's, byte for byte");
}

async function bounds(page) {
  const [answer] = await asked(page, [{ ask: "run", text: ricochet("gallery", "bouncing-ball"), set: [["time.step", "1e-8"]], seconds: 0.5 }]);
  check(answer.run.status === "interrupted" && answer.run.notes.some((note) => note.includes("was ended at t = ")), "a long run is bounded, and says so");
}

// All begin here; that their numbers are the program's is shown in playground_numbers.mjs.
async function runs_the_gallery(page) {
  const names = JSON.parse(ricochet("gallery", "--json")).map((one) => one.name);
  const answers = await asked(page, names.map((name) => ({ ask: "run", text: ricochet("gallery", name), set: [], seconds: 0.1 })));
  // Painlevé's rod stops, as it must.
  const good = (status) => status === "completed" || status === "interrupted";
  answers.forEach((answer, k) => check(good(answer.run?.status) || names[k] === "painleve-rod", `${names[k]}: ${answer.error ?? answer.run?.status}`));
  check(names.length > 40, "the gallery is there");
}

ricochet("playground", "-o", "play.html");
const engine = JSON.parse(readFileSync(join(dirname(program), "playground", "engine.json"), "utf8"));
const size = statSync(join(folder, "play.html")).size;
console.log(`the page has ${(size / 1e6).toFixed(2)} MB`);
check(size < 3e6, `the page has ${size} bytes`);
let page = await open("play.html");
await page.waitForFunction(() => document.documentElement.dataset.playing);
const first = Number(await page.evaluate(() => document.documentElement.dataset.playing));
console.log(`the first motion after ${first} ms`);
check((await ink(page.locator("canvas.motion"))) > 300, "the motion is drawn");
await page.locator(".verdict p").waitFor();
if (process.env.PICTURE) {
  await page.waitForTimeout(800);
  await page.screenshot({ path: process.env.PICTURE });
}
await moves_a_slider(page);
await shows_errors(page);
await links(page);
await compares(page);
await downloads(page);
await bounds(page);
await runs_the_gallery(page);
for (const name of ["beam-pendulum", "disk-bounce-roll", "pounding-buildings"]) {
  await after(page, () => page.locator(`.gallery button[data-name="${name}"]`).click());
  check((await ink(page.locator("canvas.motion").first())) > 300, `${name} is drawn`);
}
await page.close();

page = await open("play.html#g=woodpecker", { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true });
await page.waitForFunction(() => document.documentElement.dataset.playing);
await page.waitForTimeout(500);
check((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, "nothing is wider than a phone");
check((await ink(page.locator("canvas.motion"))) > 300, "the motion on a phone");
if (process.env.PHONE_PICTURE) await page.screenshot({ path: process.env.PHONE_PICTURE, fullPage: true });
await page.close();

// A report that can be changed.
ricochet("run", "gallery:bouncing-ball", "-o", "ball.h5");
ricochet("report", "ball.h5", "--live", "-o", "live.html");
page = await open("live.html");
await page.waitForFunction(() => document.documentElement.dataset.answered);
const stored = await picture(canvas(page));
await after(page, () => page.locator('input[type=range][data-key="model.constraint.floor.restitution"]').fill("0.3"));
check((await picture(canvas(page))) !== stored, "a live report changes");
await page.close();
await finish();
