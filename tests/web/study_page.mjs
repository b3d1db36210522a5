// The page of a study: plots with fitted slopes, a cloud of points, tables that sort.
import { writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check, finish, folder, image, ink, open, ricochet } from "./browser.mjs";

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
      y: { label: "evil <img src=x onerror>", log: true },
      series: [
        { name: "first", x: steps, y: steps.map((h) => 3 * h) },
        { name: "second", x: steps, y: steps.map((h) => h * h) },
        { name: "own note", x: [0.1, 0.05, null], y: [1e-9, 0, 1], note: "at the floor" },
      ],
    },
    {
      title: "Work",
      x: { label: "steps", log: true },
      y: { label: "error", log: true },
      series: [{ name: "one", x: [93, 1100, 9300], y: [1e-3, 1e-4, 1e-5] }],
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
check((await canvases.count()) === 4, "four plots");
for (let i = 0; i < 4; ++i) check((await ink(canvases.nth(i))) > 500, `plot ${i} is drawn`);
// An axis of powers names powers of ten wherever it begins: between the plot and the title of the axis.
const work = canvases.nth(1);
const [width, height] = await work.evaluate((canvas) => [canvas.width, canvas.height]);
const named = (await image(work)).subarray(4 * width * (height - 41), 4 * width * (height - 27));
check(named.some((byte, i) => i % 4 === 3 && byte > 100), "powers of ten below an axis");
const legend = await page.locator(".legend").first().textContent();
check(legend === "\u25cffirstslope 1.00\u25a0secondslope 2.00\u25b2own noteat the floor, 1 at 0", `the legend: ${legend}`);
await page.locator(".legend button").first().click();
check((await page.locator(".legend button").first().getAttribute("aria-pressed")) === "false", "a curve is hidden");
await page.locator("th button").first().click();
check((await page.locator("tbody td:first-child").allTextContents()).join() === "a,b,c", "sorted by name");
await page.locator("th button").nth(1).click();
await page.locator("th button").nth(1).click();
check((await page.locator("tbody td:first-child").allTextContents())[0] !== "a", "sorted by order, falling");
// What is shown can be taken away.
async function downloaded(label) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: label, exact: true }).click()]);
  return [file.suggestedFilename(), readFileSync(await file.path())];
}
const [name, numbers] = await downloaded("Error against step as CSV");
check(name === "error-against-step.csv", `the name of a download: ${name}`);
check(numbers.toString().startsWith("curve,step,evil <img src=x onerror>\nfirst,0.1,0.30000000000000004\n"), `the numbers of a plot: ${numbers}`);
check((await downloaded("Error against step as PNG"))[1].subarray(1, 4).toString() === "PNG", "the picture of a plot");
const [, drawing] = await downloaded("Error against step as SVG");
check(drawing.toString().startsWith("<svg") && /<path [^>]*stroke="#e0812a"/.test(drawing), "a plot as SVG has its curve");
check(drawing.toString().includes(">order 2</text>") && !drawing.toString().includes(">order 1</text>"), "guides of the orders in sight");
check(!/<script|onerror=/.test(drawing) && drawing.toString().includes("evil &lt;img src=x onerror&gt;"), "names in an SVG are text");
check((await downloaded("Points as CSV"))[1].toString().startsWith("x,y\n0,0.000"), "the numbers of a cloud");
check((await downloaded("Table as CSV"))[1].toString() === "scheme,order\nb,2\na,1.01\nc,\n", "the numbers of a table");
await page.locator(".plot").first().focus();
await page.keyboard.press("+");
await page.keyboard.press("ArrowLeft");
await page.keyboard.press("0");
await page.close();

// Branches of orbits: a click on a point shows its orbit.
const stop = `[model]
coordinates = ["x"]
parameters = { A = 1.0 }
kinetic = "x_dot^2/2"
potential = "x^2/2"
dissipation = "0.05*x_dot^2"
force = { x = "A*cos(t)" }
[[model.constraint]]
name = "stop"
gap = "1 - x"
restitution = 0.8
[initial]
q = { x = 0.0 }
[time]
until = 100.0
step = 0.01
[orbit]
period = "2*pi"
`;
writeFileSync(join(folder, "stop.toml"), stop);
ricochet("continue", "stop.toml", "--along", "model.parameters.A=0.2:1.2", "--report", "branches.html");
const branches = await open("branches.html");
const box = await branches.locator(".u-over").first().boundingBox();
const words = () => branches.locator("p.reading").first().textContent();
for (let k = 1; k < 60 && !(await words()).includes("click shows the orbit"); ++k)
  await branches.mouse.move(box.x + box.width / 2, box.y + (k / 60) * box.height);
check((await words()).includes("click shows the orbit"), `words of a point: ${await words()}`);
check(await branches.locator(".details").isHidden(), "no orbit is shown at first");
await branches.mouse.down();
await branches.mouse.up();
const title = await branches.locator(".details h2").first().textContent();
check(/^Orbit at A = 0\.\d+, branch 1: period 6\.28319, 1 impact, stable$/.test(title), `the title of an orbit: ${title}`);
check((await branches.locator(".details .plot").count()) === 2, "phase space and the unit circle");
check((await ink(branches.locator(".details canvas").first())) > 200, "the orbit is drawn");
await branches.close();
await finish();
