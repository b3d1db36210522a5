// The page of a study: plots with fitted slopes, a cloud of points, tables that sort.
import { writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check, finish, folder, ink, open, ricochet } from "./browser.mjs";

// The frame comes from a run's page; the data are put in its place, as study_page() does.
ricochet("run", "gallery:bouncing-ball", "--report", "ball.html");
const points = new Float32Array(200000).map((_, i) => Math.sin(i * 0.37) * ((i % 977) / 977));
const steps = [0.1, 0.05, 0.025, 0.0125];
const study = {
  kind: "converge",
  title: "Orders",
  text: ["Two schemes on one problem."],
  plots: [
    {
      title: "Error against step",
      x: { label: "step", log: true },
      y: { label: "error", log: true },
      series: [
        { name: "first", x: steps, y: steps.map((h) => 3 * h) },
        { name: "second", x: steps, y: steps.map((h) => h * h) },
        { name: "own note", x: [0.1, 0.05, null], y: [1e-9, 0, 1], note: "at the floor" },
      ],
    },
    { title: "Plain", x: { label: "a" }, y: { label: "b" }, series: [{ name: "line", x: [1, 2, 3], y: [3, 1, 2] }] },
  ],
  scatter: { title: "Points", x: { label: "x" }, y: { label: "y" }, points: Buffer.from(points.buffer).toString("base64") },
  tables: [{ title: "Table", columns: ["scheme", "order"], rows: [["b", 2], ["a", 1.01], ["c", null]] }],
};
const frame = readFileSync(join(folder, "ball.html"), "utf8");
const begin = frame.indexOf('id="ricochet-data">') + 'id="ricochet-data">'.length;
const end = frame.indexOf("</script>", begin);
writeFileSync(join(folder, "study.html"), frame.slice(0, begin) + JSON.stringify(study) + frame.slice(end));

const page = await open("study.html");
check((await page.locator("h1").textContent()) === "Orders", "the title");
const canvases = page.locator(".plot canvas");
check((await canvases.count()) === 3, "three plots");
for (let i = 0; i < 3; ++i) check((await ink(canvases.nth(i))) > 500, `plot ${i} is drawn`);
const legend = await page.locator(".legend").first().textContent();
check(legend === "firstslope 1.00secondslope 2.00own noteat the floor", `the legend: ${legend}`);
await page.locator(".legend button").first().click();
check((await page.locator(".legend button").first().getAttribute("aria-pressed")) === "false", "a curve is hidden");
await page.locator("th button").first().click();
check((await page.locator("tbody td:first-child").allTextContents()).join() === "a,b,c", "sorted by name");
await page.locator("th button").nth(1).click();
await page.locator("th button").nth(1).click();
check((await page.locator("tbody td:first-child").allTextContents())[0] !== "a", "sorted by order, falling");
await page.locator(".plot").first().focus();
await page.keyboard.press("+");
await page.keyboard.press("ArrowLeft");
await page.keyboard.press("0");
await page.close();
await finish();
