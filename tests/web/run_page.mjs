// The page of a run in a browser: it draws, zooms, reads, plays, sorts; nothing is fetched and nothing complains.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blue, brown, check, finish, folder, ink, open, ricochet } from "./browser.mjs";

const place = (page) => page.locator(".toolbar .place").textContent();
const coordinates = (page) => page.locator(".time-plot").first();

async function draws(page) {
  check((await page.title()).startsWith("Double pendulum"), "the title");
  check((await page.locator("h2").allTextContents()).join() ===
    "Coordinates,Velocities,Gaps,Impulses,Motion,Phase portrait,Energy,Impacts", "the parts");
  check(!(await page.locator(".phase .legend").textContent()).includes("sticks"), "nothing could stick");
  const canvases = page.locator(".plot canvas");
  check((await canvases.count()) === 6, "six plots");
  for (let i = 0; i < (await canvases.count()); ++i) check((await ink(canvases.nth(i))) > 1000, `plot ${i} is drawn`);
  check((await ink(page.locator("canvas.motion"))) > 200, "the motion is drawn");
  check((await page.locator(".facts").textContent()).includes("impacts2"), "two impacts in the head");
  check((await page.locator(".status").textContent()) === "completed", "the status");
}

async function zooms(page) {
  const whole = await place(page);
  const over = coordinates(page).locator(".u-over");
  const box = await over.boundingBox();
  // Drag over the second quarter.
  await page.mouse.move(box.x + box.width * 0.25, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 50, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction((text) => document.querySelector(".place").textContent !== text, whole);
  check(/^t (1|0\.99\d*|1\.00\d*) to (2|1\.99\d*|2\.00\d*)$/.test(await place(page)), `zoomed: ${await place(page)}`);
  await over.dblclick();
  check((await place(page)) === whole, "a double click shows the whole run");

  // The same with keys.
  await coordinates(page).locator(".plot").focus();
  await page.keyboard.press("ArrowUp");
  check((await place(page)) === "t 1 to 3", "up zooms");
  await page.keyboard.press("ArrowRight");
  check((await place(page)) === "t 1.4 to 3.4", "right moves on");
  await page.keyboard.press("0");
  check((await place(page)) === whole, "0 shows the whole run");
}

async function reads(page) {
  const over = coordinates(page).locator(".u-over");
  const box = await over.boundingBox();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60);
  await page.waitForTimeout(200);
  // Both coordinates at t = 2, as the scenario's known answer has them.
  const values = await coordinates(page).locator(".curve .reading").allTextContents();
  const near = (text, value) => Math.abs(Number(text.replace("\u2212", "-")) - value) < 0.01;
  check(near(values[0], 0.2400377) && near(values[1], 0.4481285), `values at t = 2: ${values}`);
  // The cursor is in every plot of time.
  const lines = await page.locator(".time-plot .u-cursor-x").evaluateAll((all) => all.filter((line) => line.style.transform && !line.classList.contains("u-off")).length);
  check(lines === 5, `cursors: ${lines}`);
  await page.mouse.move(5, 5);
  // A curve can be hidden.
  const curve = coordinates(page).locator("button.curve").first();
  await curve.click();
  check((await curve.getAttribute("aria-pressed")) === "false", "a curve is hidden");
  await curve.click();
}

async function plays(page) {
  const clock = () => page.locator(".clock").textContent();
  await page.mouse.click(3, 400);
  await page.evaluate(() => document.activeElement?.blur());
  const before = await clock();
  await page.keyboard.press("Space");
  await page.waitForFunction((text) => document.querySelector(".clock").textContent !== text, before);
  check((await page.locator("button.play").getAttribute("aria-label")) === "Pause", "space plays");
  await page.waitForTimeout(300);
  await page.keyboard.press("Space");
  await page.waitForTimeout(100);
  const stopped = await clock();
  await page.waitForTimeout(200);
  check((await clock()) === stopped, "space pauses");
  await page.locator('[aria-label="Speed"]').selectOption("4");
  await page.locator('input[aria-label="Time"]').fill("500");
  check((await clock()) === "t = 2", `the slider: ${await clock()}`);
  const first = await page.locator("canvas.motion").evaluate((canvas) => canvas.toDataURL());
  await page.locator('input[aria-label="Time"]').fill("200");
  await page.waitForTimeout(100);
  check(first !== (await page.locator("canvas.motion").evaluate((canvas) => canvas.toDataURL())), "the motion moves");
}

async function themes(page) {
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await back();
  await page.locator("button.tool").first().click();
  check((await back()) !== light, "dark");
  await page.locator("button.tool").first().click();
  check((await back()) === light, "light again");
}

// Everything that does something is reached with the tab key.
async function keyboard(page) {
  await page.evaluate(() => document.activeElement?.blur());
  const seen = new Set();
  for (let i = 0; i < 80; ++i) {
    await page.keyboard.press("Tab");
    seen.add(await page.evaluate(() => {
      const at = document.activeElement;
      return at.getAttribute("aria-label")?.split(/[ .]/)[0] ?? at.textContent.trim().split(/\s/)[0];
    }));
  }
  for (const name of ["Earlier", "Coordinates", "Velocities", "Play", "Time", "Speed", "Phase", "Energy", "Scenario"])
    check(seen.has(name), `the tab key reaches ${name}`);
  const nameless = await page.locator("button, select, input").evaluateAll((all) =>
    all.filter((one) => !one.textContent.trim() && !one.getAttribute("aria-label") && !one.closest("label")).length);
  check(nameless === 0, "every control has a name");
}

async function sorts(page) {
  const times = async () => page.locator(".impacts tbody td:first-child").allTextContents();
  const column = async (k) => (await page.locator(`.impacts tbody td:nth-child(${k})`).allTextContents())
    .map((text) => Number(text.replace("\u2212", "-")));
  const falls = (values) => values.every((value, i) => i === 0 || value <= values[i - 1]);
  const start = await times();
  check(start.length === 15, `a page of impacts: ${start.length}`);
  await page.locator('th button[data-key="impulse"]').click();
  check(falls(await column(5)), "sorted by impulse");
  check((await page.locator('th:has(button[data-key="impulse"])').getAttribute("aria-sort")) === "descending", "aria-sort");
  await page.locator('th button[data-key="impulse"]').click();
  check(!falls(await column(5)), "sorted the other way");
  await page.locator('[aria-label="Next page"]').click();
  check((await page.locator(".pager span").textContent()).startsWith("16 to 30 of "), "the second page");
  await page.locator('.impacts select').selectOption({ label: "floor" });
  check(new Set(await page.locator(".impacts tbody td:nth-child(2)").allTextContents()).size === 1, "one constraint");
  // A time shows its impact in the plots.
  const before = await place(page);
  await page.locator(".impacts tbody button.link").first().click();
  check((await place(page)) !== before, "an impact is shown");
}

// Ten beads: more coordinates than are drawn at once.
async function chooses(page) {
  const chooser = page.locator(".chooser").first();
  check((await chooser.locator("summary").textContent()) === "Coordinates: 4 of 10 drawn", "four of ten");
  await chooser.locator("summary").click();
  await chooser.locator("input[type=search]").fill("y1");
  await chooser.locator("input[type=checkbox]").first().check();
  check((await coordinates(page).locator("button.curve").count()) === 5, "five curves");
}

// The name of a scenario is text wherever it stands.
async function harmless() {
  const evil = "</script><img src=x onerror=alert(1)> <b>&amp; é";
  const text = ricochet("gallery", "bouncing-ball").replace("Ball on a floor", evil);
  writeFileSync(join(folder, "evil.toml"), text);
  ricochet("run", "evil.toml", "--report", "evil.html");
  const page = await open("evil.html");
  check((await page.locator("h1").textContent()) === evil, "the title is text");
  check((await page.locator("#ricochet-page img, #ricochet-page b").count()) === 0, "no markup from the scenario");
  await page.close();
}

async function prints(page) {
  await page.emulateMedia({ media: "print" });
  check(!(await page.locator(".toolbar").isVisible()), "no buttons on paper");
  check((await page.pdf({ format: "A4" })).length > 20000, "a PDF");
  await page.emulateMedia({ media: "screen" });
}

ricochet("run", "gallery:double-pendulum-wall", "--report", "pendulum.html");
let page = await open("pendulum.html");
await draws(page);
await zooms(page);
await reads(page);
await plays(page);
await themes(page);
await keyboard(page);
await prints(page);
// A picture for the docs, where one is asked for.
if (process.env.PICTURE) {
  await page.locator('input[aria-label="Time"]').fill("300");
  await page.evaluate(() => (document.activeElement.blur(), scrollTo(0, 0)));
  await page.mouse.move(2, 2);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(folder, "page.png"), fullPage: true });
  copyFileSync(join(folder, "page.png"), process.env.PICTURE);
}
await page.close();

ricochet("run", "gallery:bead-column");
ricochet("report", "bead-column.h5");
page = await open("bead-column.html", { colorScheme: "dark" });
await chooses(page);
await sorts(page);
await page.close();

// CSV and NPZ results have pages too.
for (const ending of ["csv", "npz"]) {
  ricochet("run", "gallery:pendulum-wall", "-o", `p.${ending}`, "--report", `${ending}.html`);
  page = await open(`${ending}.html`);
  check((await page.locator(".plot canvas").count()) === 6, `plots from ${ending}`);
  await page.close();
}

// Reactions where there are joints.
writeFileSync(join(folder, "joint.toml"), `
[model]
coordinates = ["x", "y"]
parameters = { m = 1.0, l = 1.0, g = 9.81 }
kinetic = "m*(x_dot^2 + y_dot^2)/2"
potential = "m*g*y"
joint = [{ name = "string", equation = "(x^2 + y^2 - l^2)/(2*l)" }]
[initial]
q = { x = "l*sin(2.0)", y = "-l*cos(2.0)" }
[time]
until = 3.0
step = 1e-3
`);
ricochet("run", "joint.toml", "--report", "joint.html");
page = await open("joint.html");
check((await page.locator("h2").allTextContents()).join() ===
  "Coordinates,Velocities,Reactions,Motion,Phase portrait,Energy,Impacts", "the parts of a page with joints");
const reactions = page.locator(".time-plot").nth(2);
check((await reactions.locator("button.curve").textContent()).includes("string.reaction.1"), "the name of a reaction");
check((await ink(reactions.locator("canvas"))) > 1000, "reactions are drawn");
if (process.env.JOINT_PICTURE) await page.screenshot({ path: process.env.JOINT_PICTURE, fullPage: true });
await page.close();

// Friction: slips, forces, friction against slip, a status in the table of impacts.
ricochet("run", "gallery:disk-bounce-roll", "--report", "disk.html");
page = await open("disk.html");
check((await page.locator("h2").allTextContents()).join() ===
  "Coordinates,Velocities,Gaps,Contact forces,Impulses,Slips,Friction force,Friction impulses of impacts,Wear power,Motion,Phase portrait,Friction against slip,Energy,Impacts",
  "the parts of a page with friction");
const card = (title) => page.locator(".card", { has: page.getByRole("heading", { name: title, exact: true }) });
for (const title of ["Slips", "Friction force", "Friction impulses of impacts", "Wear power"])
  check((await blue(card(title).locator("canvas"))) > 40, `${title} is drawn`);
for (const title of ["Phase portrait", "Coordinates", "Velocities", "Slips"])
  check((await brown(card(title).locator("canvas"))) > 40, `what sticks is shaded in ${title}`);
check((await brown(card("Gaps").locator("canvas"))) === 0, "where there are no bands nothing is brown");
check((await card("Phase portrait").locator(".legend").textContent()).includes("sticks"), "the legend has what sticks");
check((await card("Friction force").locator("button.curve").textContent()).includes("floor.friction"), "the name of a force");
// All that friction took, 25/6 J, went into two seconds.
const mean = await card("Wear power").locator("button.curve").nth(1).locator(".reading").textContent();
check(Math.abs(Number(mean) - 25 / 12) < 1e-3, `the mean of the wear power: ${mean}`);
check((await page.locator(".impacts tbody").textContent()).includes("slide"), "the status of an impact");
check((await page.locator(".held").textContent()) === "nothing touches", "in flight nothing sticks");
// The [draw] table: a disc over its floor, which takes the colour of what rolls on it.
check((await blue(page.locator("canvas.motion"))) > 300 && (await brown(page.locator("canvas.motion"))) === 0, "the disc is drawn");
await page.locator(".animation input[type=range]").fill("990");
await page.waitForTimeout(100);
check((await brown(page.locator("canvas.motion"))) > 100, "the animation marks what sticks");
const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Wear power as SVG", exact: true }).click()]);
check(/stroke-dasharray/.test(readFileSync(await file.path(), "utf8")), "the mean is dashed in the SVG too");
check((await page.locator(".held").textContent()) === "sticks: floor", "what rolls sticks");
check((await page.locator(".facts").textContent()).includes("friction"), "the account has friction");
if (process.env.DISK_PICTURE) await page.screenshot({ path: process.env.DISK_PICTURE, fullPage: true });
await page.close();
// A frame: members that bend, and the floor.
ricochet("run", "gallery:beam-pendulum", "--report", "frame.html");
page = await open("frame.html");
const bent = () => page.locator("canvas.motion").evaluate((canvas) => canvas.toDataURL());
check((await blue(page.locator("canvas.motion"))) > 300, "the members are drawn");
const straight = await bent();
await page.locator(".animation input[type=range]").fill("600");
await page.waitForTimeout(100);
check(straight !== (await bent()), "the members move");
if (process.env.FRAME_PICTURE) await page.screenshot({ path: process.env.FRAME_PICTURE, fullPage: true });
await page.close();

// Located impacts are two rows of one time, before and after: the ball touches the floor, its jump is upright.
ricochet("run", "gallery:bouncing-ball", "--report", "located.html");
const whole = readFileSync(join(folder, "located.html"), "utf8");
const begin = whole.indexOf('id="ricochet-data">') + 'id="ricochet-data">'.length;
const end = whole.indexOf("</script>", begin);
const located = JSON.parse(whole.slice(begin, end));
const f8 = (values) => ({ f8: Buffer.from(new Float64Array(values).buffer).toString("base64") });
Object.assign(located, { rows: 5, recorded: 5, energy: {} });
located.columns = { t: f8([0, 0.5, 1, 1, 1.5]), q: [f8([1, 0.7, 0, 0, 0.6])], v: [f8([0, -1, -2, 1.5, 1])], gap: [f8([1, 0.7, 0, 0, 0.6])], impulse: [f8([0, 0, 0, 3.5, 0])] };
located.impacts = { count: 1, t: f8([1]), constraint: f8([0]), rate_minus: f8([-2]), rate_plus: f8([1.5]), impulse: f8([3.5]), energy_loss: f8([1]) };
writeFileSync(join(folder, "located.html"), whole.slice(0, begin) + JSON.stringify(located) + whole.slice(end));
page = await open("located.html");
const portrait = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Phase portrait as SVG", exact: true }).click()]);
const jump = /d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"[^>]*stroke="#d43d51"/.exec(readFileSync(await portrait[0].path(), "utf8"));
check(jump && jump[1] === jump[3] && jump[2] !== jump[4], `the jump is upright: ${jump?.[0]}`);
await page.locator('input[aria-label="Time"]').fill("667");
const reading = coordinates(page).locator(".curve .reading");
for (let patience = 50; patience > 0 && (await reading.textContent()) !== "0"; --patience) await page.waitForTimeout(100);
check((await reading.textContent()) === "0", "the ball touches the floor");
await page.close();
await harmless();
await finish();
