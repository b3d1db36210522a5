// A run of a million steps opens quickly, keeps its peaks and zooms.
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, finish, folder, open, ricochet } from "./browser.mjs";

const scenario = `
title = "Oscillator between two stops, a million steps"
[model]
coordinates = ["x"]
parameters = { c = 0.05, A = 3.0, w = 2.8 }
kinetic = "x_dot^2/2"
potential = "2*x^2"
dissipation = "c*x_dot^2/2"
force = { x = "A*cos(w*t)" }
[[model.constraint]]
name = "right"
gap = "1 - x"
restitution = 0.8
[[model.constraint]]
name = "left"
gap = "x + 1"
restitution = 0.8
[initial]
q = { x = 0.2 }
[time]
until = 1000.0
step = 1e-3
`;
writeFileSync(join(folder, "large.toml"), scenario);
ricochet("run", "large.toml", "--report", "large.html");
const page = await open("large.html");
const size = statSync(join(folder, "large.html")).size / 1e6;
const meter = await page.context().newCDPSession(page);
await meter.send("Performance.enable");
const { metrics } = await meter.send("Performance.getMetrics");
const cpu = metrics.find((one) => one.name === "ProcessTime").value;
const wall = page.opened / 1000;
console.log(`a million steps: ${size.toFixed(1)} MB, opened and drawn in ${wall.toFixed(2)} s, ${cpu.toFixed(2)} s of them busy`);
// Less than 3 s on a machine with nothing else to do. Tests share theirs, so the limit is on what the page itself takes.
check(cpu < 15, `the page is busy for ${cpu} s`);
check((await page.locator(".facts").textContent()).includes("1\u2009000\u2009001"), "all instants are counted");
const begin = Date.now();
await page.locator(".toolbar button", { hasText: "+" }).click();
await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
console.log(`zoomed in ${((Date.now() - begin) / 1000).toFixed(2)} s`);
check((await page.locator(".toolbar .place").textContent()) === "t 250 to 750", "zoomed");
await page.close();
await finish();
