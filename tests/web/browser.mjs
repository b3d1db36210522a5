// What the tests of the page share: the program, the browser, checks.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const folder = mkdtempSync(join(tmpdir(), "ricochet-page-"));
const packages = createRequire(join(process.env.RICOCHET_WEB ?? "web", "package.json"));
const { chromium } = packages("playwright-core");

export function ricochet(...words) {
  return execFileSync(process.env.RICOCHET ?? "build/ricochet", words, { cwd: folder, encoding: "utf8" });
}

export const problems = [];
export function check(good, what) {
  if (good) return;
  problems.push(what);
  console.log(`failed: ${what}`);
}

let browser;

// A page with its complaints and requests written down. Anything but the file itself is a request too many.
export async function open(name, options = {}) {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, colorScheme: "light", ...options });
  page.setDefaultTimeout(120000);
  const [file, hash = ""] = name.split("#");
  const url = pathToFileURL(join(folder, file)).href;
  page.on("console", (message) => check(false, `${name}: console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => check(false, `${name}: ${error.stack}`));
  page.on("request", (request) => check(request.url().split("#")[0] === url || request.url().startsWith("blob:"), `${name}: a request for ${request.url()}`));
  const begin = Date.now();
  await page.goto(hash ? `${url}#${hash}` : url, { waitUntil: "commit", timeout: 120000 });
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 120000 });
  page.opened = Date.now() - begin;
  return page;
}

// The bytes of a canvas, four a pixel, read from a copy: browsers complain of what is read often.
export async function image(locator) {
  const text = await locator.evaluate((canvas) => {
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const ctx = copy.getContext("2d", { willReadFrequently: true });
    ctx.drawImage(canvas, 0, 0);
    const { data } = ctx.getImageData(0, 0, copy.width, copy.height);
    const parts = [];
    for (let i = 0; i < data.length; i += 32768) parts.push(String.fromCharCode(...data.subarray(i, i + 32768)));
    return btoa(parts.join(""));
  });
  return Buffer.from(text, "base64");
}

// How many pixels of a canvas are not clear.
export async function ink(locator) {
  const data = await image(locator);
  let count = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i] > 0) ++count;
  return count;
}

async function pixels(locator, is_one, least = 100) {
  const data = await image(locator);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > least && is_one(data[i], data[i + 1], data[i + 2])) ++count;
  return count;
}
// Pixels that are clearly blue, as the first curve is, and grid and axes are not; brown, as what sticks is shaded.
export const blue = (locator) => pixels(locator, (red, _, blue) => blue > red + 60);
export const brown = (locator) => pixels(locator, (red, green, blue) => red > blue + 60 && green > blue + 20, 30);

export async function finish() {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
  console.log(problems.length === 0 ? "all good" : `${problems.length} failed`);
  process.exit(problems.length === 0 ? 0 : 1);
}
