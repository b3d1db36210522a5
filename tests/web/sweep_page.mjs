// The page of a sweep: the diagram draws, zooms and reads; maps have the colours of their classes; a million points.
import { execFileSync } from "node:child_process";
import { copyFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { check, finish, folder, image, ink, open, ricochet } from "./browser.mjs";

const maker = fileURLToPath(new URL("sweep_files.py", import.meta.url));

async function page_of(kind, options = {}) {
  execFileSync(process.env.RICOCHET_PYTHON ?? "python3", ["-B", maker, kind, join(folder, `${kind}.h5`)]);
  ricochet("report", `${kind}.h5`, "--svg", `${kind}.svg`);
  return open(`${kind}.html`, options);
}

const diagram = (page) => page.locator(".diagram");
const place = (page) => page.locator(".toolbar > .place").textContent();
const select = (scope, words) =>
  scope.locator("label.control", { has: scope.page().locator("span", { hasText: new RegExp(`^${words}$`) }) }).locator("select");
const frame = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

// Pixels of a plot whose colour is nearly this one.
async function pixels(plot, color) {
  const data = await image(plot.locator("canvas"));
  let count = 0;
  for (let i = 0; i < data.length; i += 4)
    if (data[i + 3] > 150 && Math.hypot(data[i] - color[0], data[i + 1] - color[1], data[i + 2] - color[2]) < 24) ++count;
  return count;
}
const [blue, orange, green] = [[47, 111, 176], [224, 129, 42], [42, 154, 111]];

async function drag(page, plot, from, to) {
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.locator(".u-over").boundingBox();
  await page.mouse.move(box.x + from[0] * box.width, box.y + from[1] * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + to[0] * box.width, box.y + to[1] * box.height, { steps: 4 });
  await page.mouse.up();
  await frame(page);
}

async function point(page, plot, x, y) {
  const box = await plot.locator(".u-over").boundingBox();
  await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
  await frame(page);
  return plot.locator("p.reading").textContent();
}

async function draws(page) {
  check((await page.title()).startsWith("Oscillator with a stop"), "the title");
  const heads = (await page.locator("h2").allTextContents()).join();
  check(heads === "Bifurcation diagram,Largest Lyapunov exponent along r,Period along r,Chosen trajectory,Points of the chosen trajectory,Failed trajectories", `the parts: ${heads}`);
  for (const name of [".diagram", ".curves >> nth=0", ".curves >> nth=1", ".section"])
    check((await ink(page.locator(name).locator("canvas"))) > 300, `${name} is drawn`);
  const facts = await page.locator(".facts").textContent();
  check(facts.includes("1\u2009200") && facts.includes("failed2") && facts.includes("119\u2009800"), `the facts: ${facts}`);
  // Below r = 3.2 forward and backward are apart.
  check((await pixels(diagram(page), blue)) > 300, "forward is blue");
  check((await pixels(diagram(page), orange)) > 200, "backward is orange");
  await select(diagram(page), "coloured by").selectOption({ label: "period" });
  check((await diagram(page).locator(".key").textContent()).includes("not periodic"), "a key of periods");
  check((await pixels(diagram(page), blue)) > 200 && (await pixels(diagram(page), orange)) > 300, "periods 1 and 2");
  await select(diagram(page), "coloured by").selectOption({ label: "direction" });
  await select(page.locator(".toolbar"), "direction").selectOption({ label: "forward" });
  check((await pixels(diagram(page), orange)) === 0, "forward alone");
  await select(page.locator(".toolbar"), "direction").selectOption({ label: "both" });
}

async function zooms(page) {
  const whole = await place(page);
  check(whole === "r 2.8 to 4", `all of the axis: ${whole}`);
  await drag(page, diagram(page), [0.5, 0.1], [0.75, 0.6]);
  const [from, to] = (await place(page)).match(/[\d.]+/g).map(Number);
  check(Math.abs(from - 3.4) < 0.01 && Math.abs(to - 3.7) < 0.01, `zoomed: ${await place(page)}`);
  // The curves follow, and lead.
  await drag(page, page.locator(".curves").first(), [0.25, 0.5], [0.75, 0.52]);
  const [left, right] = (await place(page)).match(/[\d.]+/g).map(Number);
  check(Math.abs(left - 3.475) < 0.01 && Math.abs(right - 3.625) < 0.01, `zoomed from a curve: ${await place(page)}`);
  await diagram(page).locator(".u-over").dblclick();
  check((await place(page)) === whole, "a double click shows all");
  // With the wheel and with keys.
  const box = await diagram(page).locator(".u-over").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -200);
  await page.keyboard.up("Control");
  await frame(page);
  check((await place(page)) !== whole, "the wheel zooms");
  await diagram(page).locator(".plot").focus();
  await page.keyboard.press("0");
  check((await place(page)) === whole, "0 shows all");
  await page.keyboard.press("+");
  check((await place(page)) === "r 3.1 to 3.7", `plus zooms: ${await place(page)}`);
  await page.getByText("Whole axis").click();
  check((await place(page)) === whole, "the button shows all");
}

async function reads(page) {
  // At r = 3.4 there is a motion of period 2 with x = 0.452 and 0.842; y runs from −0.06 to 1.06.
  const box = await diagram(page).locator(".u-over").boundingBox();
  check(box.width > 800, "the diagram is wide");
  const words = await point(page, diagram(page), 0.5, (1.06 - 0.842) / 1.12);
  check(/^r = 3\.\d+, x = 0\.84\d+ \u00b7 (forward|backward) \u00b7 period 2 \u00b7 \u03bb = \u22120\.1\d+ \u00b7 trajectory \d+$/.test(words), `the reading: ${words}`);
  await page.mouse.click(box.x + 0.2 * box.width, box.y + ((1.06 - 0.69) / 1.12) * box.height);
  await point(page, diagram(page), 0.9, 0.5);
  await page.mouse.down();
  await page.mouse.up();
  const chosen = await page.locator(".trajectory .place").textContent();
  check(Math.abs(Number(chosen.match(/r = ([\d.]+)/)[1]) - 3.88) < 0.02, `a click chooses: ${chosen}`);
  // The same with keys.
  await page.getByLabel("Trajectory", { exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  check((await page.locator(".trajectory .place").textContent()) !== chosen, "the slider moves on");
  await page.locator(".failures button.link").first().click();
  check((await page.locator(".trajectory .failure").textContent()) === "x'' is not finite at t = 12.5", "why it failed");
  check((await page.locator(".failures").textContent()).includes("<b>residual</b>"), "sentences are text");
}

// Everything that does something has a name and is reached.
async function keyboard(page) {
  const nameless = await page.locator("button, select, input").evaluateAll((all) =>
    all.filter((one) => !one.textContent.trim() && !one.getAttribute("aria-label") && !one.closest("label")).length);
  check(nameless === 0, "every control has a name");
  const plots = await page.locator('.plot[role="group"][tabindex="0"][aria-label]').count();
  check(plots === (await page.locator(".plot").count()), "every plot has a name");
  await page.emulateMedia({ media: "print" });
  check(!(await page.locator(".toolbar").isVisible()), "no buttons on paper");
  await page.emulateMedia({ media: "screen" });
}

async function themes(page) {
  const ground = () => page.evaluate(() => getComputedStyle(document.querySelector(".card")).backgroundColor);
  const before = [await ground(), await pixels(diagram(page), blue)];
  await page.locator("button.tool").first().click();
  await frame(page);
  check((await ground()) !== before[0] && (await pixels(diagram(page), blue)) < before[1] / 4, "dark");
  await page.locator("button.tool").first().click();
}

// A picture, where one is asked for.
async function picture(page, name) {
  if (!process.env.PICTURES) return;
  await page.mouse.move(2, 2);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(folder, "shot.png"), fullPage: true });
  copyFileSync(join(folder, "shot.png"), join(process.env.PICTURES, `${name}.png`));
}

let page = await page_of("diagram");
await picture(page, "diagram");
await draws(page);
await zooms(page);
await reads(page);
await themes(page);
await keyboard(page);
await page.close();

page = await page_of("million");
const meter = await page.context().newCDPSession(page);
await meter.send("Performance.enable");
const { metrics } = await meter.send("Performance.getMetrics");
const cpu = metrics.find((one) => one.name === "ProcessTime").value;
const size = statSync(join(folder, "million.html")).size / 1e6;
console.log(`a million points: ${size.toFixed(1)} MB, opened and drawn in ${(page.opened / 1000).toFixed(2)} s, ${cpu.toFixed(2)} s of them busy`);
// What the page itself takes: the machine has other work too.
check(cpu < 3, `a million points take ${cpu} s`);
check((await ink(diagram(page).locator("canvas"))) > 100000, "a million points are drawn");
const begin = Date.now();
await drag(page, diagram(page), [0.5, 0.2], [0.6, 0.5]);
console.log(`zoomed in ${((Date.now() - begin) / 1000).toFixed(2)} s`);
check((await ink(diagram(page).locator("canvas"))) > 10000, "and zoomed");
await page.close();

// Three basins in three colours, with their shares.
page = await page_of("basins");
await picture(page, "basins");
const map = page.locator(".map");
check((await page.locator("h2").first().textContent()) === "Map", "the map comes first");
const [a, b, c] = await Promise.all([blue, orange, green].map((color) => pixels(map, color)));
check(a > b && b > 50000 && Math.abs(b - c) < 0.05 * b, `basins: ${a}, ${b}, ${c} pixels`);
check((await map.locator(".key").textContent()) === "attractor 0: period 139.7 %attractor 1: period 130.2 %attractor 2: period 130.2 %", `shares: ${await map.locator(".key").textContent()}`);
const words = await point(page, map, 0.95, 0.5);
check(/^x = 1\.[78]\d*, x_dot = \u2212?0\.0\d+ \u00b7 period 1 \u00b7 attractor 0/.test(words), `a cell: ${words}`);
await page.mouse.down();
await page.mouse.up();
check((await page.locator(".trajectory .place").textContent()).startsWith("x = 1.7"), "a click into the map chooses");
await select(map, "shows").selectOption({ label: "largest Lyapunov exponent" });
check((await map.locator(".scale").count()) === 1 && (await pixels(map, blue)) < a, "another quantity");
await drag(page, map, [0.2, 0.2], [0.4, 0.5]);
check((await ink(map.locator("canvas"))) > 100000, "the map zooms");
// The diagram along the other axis, at one value of the first.
await select(page.locator(".toolbar"), "along").selectOption({ label: "x_dot" });
check((await place(page)) === "x_dot \u22121.5 to 1.5", `along x_dot: ${await place(page)}`);
await page.getByLabel("All values of x", { exact: true }).uncheck();
check(!(await page.getByLabel("x", { exact: true }).isDisabled()), "a slider for the other axis");
await page.close();

// Statistics: curves on an axis of powers, and impulses.
page = await page_of("statistics", { colorScheme: "dark" });
await picture(page, "statistics");
check((await page.locator(".curves h2").allTextContents()).join() === "x along w,x_dot along w,impacts_per_period along w", "curves");
check((await page.locator(".curves").first().locator("button.curve").allTextContents()).join() === "x.mean,x.rms,x.min,x.max", "mean and extremes");
const bars = await ink(page.locator(".histogram canvas"));
await select(page.locator(".histogram"), "of").selectOption({ label: "all along the axis" });
check(bars > 5000 && (await ink(page.locator(".histogram canvas"))) > bars, "impulses along the axis");
await page.close();

// A sample has no grid: its map is of dots.
page = await page_of("sample");
await picture(page, "sample");
check((await ink(page.locator(".map canvas"))) > 5000, "dots of a sample");
check((await select(page.locator(".map"), "up").locator("option").allTextContents()).join() === "a,b,c", "axes to choose from");
await select(page.locator(".map"), "up").selectOption({ label: "c" });
check((await page.locator(".map .plot").getAttribute("aria-label")).startsWith("Map of x.mean over a and c"), "another axis");
await page.close();
await finish();
