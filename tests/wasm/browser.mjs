// The viewer in Chromium: opens by address and by drop, expands, zooms, reads values, shows hostile files. Screenshots are for
// eyes. browser.mjs ADDRESS SCREENSHOTS EXPECTED
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";

const [address, screenshots, expectedName] = process.argv.slice(2);
const expected = JSON.parse(readFileSync(expectedName));
const profile = mkdtempSync(`${tmpdir()}/viewer-`);
// Messages of the protocol of developer tools go through two pipes, so no port is open.
const browser = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const waiting = new Map();
let last = 0;
let rest = "";
browser.stdio[4].on("data", data => {
  const parts = (rest + data).split("\0");
  rest = parts.pop();
  for (const part of parts) {
    const { id, result, error } = JSON.parse(part);
    if (!waiting.has(id)) continue;
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }
});
const send = (method, params = {}, sessionId) => new Promise((resolve, reject) => {
  waiting.set(++last, { resolve, reject });
  browser.stdio[3].write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
});
const { targetId } = await send("Target.createTarget", { url: "about:blank" });
const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
const page = (method, params) => send(method, params, sessionId);

async function run(expression) {
  const { result, exceptionDetails } = await page("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
async function until(expression, what) {
  for (let tries = 0; tries < 600; tries++) {
    const value = await run(expression).catch(() => undefined);
    if (value) return value;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error(`it did not happen: ${what}; the page says ${await run("document.body.innerText.slice(0, 500)")}`);
}
async function visit(file) {
  await page("Page.navigate", { url: `${address}viewer/viewer/index.html?url=${encodeURIComponent(`/files/${encodeURIComponent(file)}`)}` });
  await until("document.readyState === 'complete'", "the page is loaded");
}
const text = id => run(`document.getElementById("${id}").textContent`);
async function size(width, height, scheme) {
  await page("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  await page("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
}
async function picture(name) {
  await new Promise(resolve => setTimeout(resolve, 400));
  const { data } = await page("Page.captureScreenshot", {});
  writeFileSync(`${screenshots}/${name}.png`, Buffer.from(data, "base64"));
}
// Numbers of keys that do something without a text.
const CODES = { Tab: 9, Enter: 13 };
async function key(name, code) {
  const text = name.length === 1 ? name : name === "Enter" ? "\r" : undefined;
  const keys = { key: name, code, windowsVirtualKeyCode: CODES[name] };
  await page("Input.dispatchKeyEvent", { type: "keyDown", ...keys, text });
  await page("Input.dispatchKeyEvent", { type: "keyUp", ...keys });
}

let passed = 0;
let failed = 0;
async function test(name, work) {
  try {
    await work();
    passed += 1;
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}: ${error.message}`);
  }
}
function same(found, wanted, what) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what}: ${JSON.stringify(found)} and not ${JSON.stringify(wanted)}`);
}

await page("Page.enable");
await size(1280, 900, "light");

await test("an image by its address: tree, value and sky under the pointer, zoom, planes of the page", async () => {
  await visit("image.asdf");
  await until(`document.getElementById("canvas").dataset.shown`, "the image is shown");
  await picture("image-desktop-light");
  await size(1280, 900, "dark");
  await picture("image-desktop-dark");
  await size(390, 844, "light");
  same(await run("document.documentElement.scrollWidth <= innerWidth"), true, "the page is not wider than the phone");
  await picture("image-phone-light");
  await size(390, 844, "dark");
  await picture("image-phone-dark");
  await size(1280, 900, "light");
  await run(`document.getElementById("fit").click()`);
  const box = await run(`(() => { const box = document.getElementById("canvas").getBoundingClientRect(); return [box.x, box.y, box.width, box.height]; })()`);
  await page("Input.dispatchMouseEvent", { type: "mouseMoved", x: box[0] + box[2] / 2 + 1, y: box[1] + box[3] / 2 - 1 });
  const line = await until(`/\\d°/.test(document.getElementById("pointer").textContent) && document.getElementById("pointer").textContent`, "the value is told");
  const [, row, column, value, longitude, latitude] = /\[(\d+), (\d+)\] (\S+).*?(-?[\d.]+)° (-?[\d.]+)°/.exec(line);
  same(Number(value), expected.image[row][column], `value at ${row}, ${column}`);
  const sky = expected.sky[row][column];
  if (Math.hypot(longitude - sky[0], latitude - sky[1]) > 2e-6) throw new Error(`sky ${longitude} ${latitude}, and not ${sky}`);
  await run(`document.getElementById("canvas").focus()`);
  await key("+");
  await key("ArrowLeft", "ArrowLeft");
  await run(`(() => { const field = document.getElementById("stretch"); field.value = "asinh"; field.onchange(); })()`);
  await until(`document.getElementById("canvas").dataset.shown.includes("asinh")`, "the stretch changed");
  await picture("image-zoomed");
});

await test("keys move through the tree", async () => {
  await run(`document.querySelector("#tree .row").focus()`);
  for (const name of ["Home", "ArrowDown"]) await key(name, name);
  const before = await run("document.activeElement.textContent");
  await run(`[...document.querySelectorAll("#tree .row")].find(row => row.dataset.path === "/meta").focus()`);
  await key("ArrowRight", "ArrowRight");
  await until(`[...document.querySelectorAll("#tree .row")].some(row => row.dataset.path === "/meta/telescope")`, "the mapping is open");
  if (!before) throw new Error("no line has the focus");
});

await test("a table in pages", async () => {
  await visit("table.ecsv");
  await until(`document.querySelectorAll("#rows tbody tr").length === 100`, "a page of rows");
  same(await run(`[...document.querySelectorAll("#rows tbody tr:nth-child(3) td")].map(cell => cell.textContent)`), expected.row2, "the third row");
  await run(`document.getElementById("after").click()`);
  await until(`document.getElementById("range").textContent.startsWith("rows 100")`, "the next page");
  await picture("table-desktop-light");
  await size(390, 844, "dark");
  await picture("table-phone-dark");
  await size(1280, 900, "light");
});

await test("a table in a tree, and one in a large text", async () => {
  await visit("catalogue.asdf");
  await until(`document.querySelectorAll("#tree .row").length > 1`, "the tree");
  await run(`document.querySelector('#tree [data-path="/catalogue"]').click()`);
  await until(`document.querySelectorAll("#rows tbody tr").length === 100`, "a page of rows");
  await run(`document.getElementById("after").click()`);
  await run(`document.getElementById("after").click()`);
  await until(`document.getElementById("range").textContent === "rows 200 to 249 of 250"`, "the last page");
  same(await run(`document.querySelector("#rows tbody tr:last-child td").textContent`), "249", "the last row");
  await run(`document.querySelector('#tree [data-path="/records"]').click()`);
  await until(`document.getElementById("path").textContent === "/records" && document.getElementById("range").textContent === "rows 0 to 99 of 250"`, "records");
  same(await run(`[...document.querySelectorAll("#rows tbody tr:nth-child(4) td")].map(cell => cell.textContent)`), ["3", "[1.5, 1.75]", "<i>"], "a record");
  await visit("large.ecsv");
  await until(`document.getElementById("range").textContent === "rows 0 to 99"`, "the first page");
  await run(`document.getElementById("after").click()`);
  await until(`document.getElementById("range").textContent === "rows 100 to 199"`, "the second page");
  same(await run(`[...document.querySelectorAll("#rows tbody tr:nth-child(3) td")].map(cell => cell.textContent)`), ["102", "12.75"], "a row");
  await run(`document.getElementById("before").click()`);
  await until(`document.getElementById("range").textContent === "rows 0 to 99"`, "the way back");
  const bytes = await until(`Number(document.getElementById("traffic").dataset.bytes)`, "the traffic");
  console.log(`large text: ${bytes} bytes read`);
  if (bytes > 10e6) throw new Error(`${bytes} bytes were read`);
});

const firstRow = () => run(`[...document.querySelectorAll("#rows tbody tr:first-child > *")].map(cell => cell.textContent)`);
const directions = () => run(`[...document.querySelectorAll("#rows thead th")].map(head => head.getAttribute("aria-sort"))`);
const head = name => `[...document.querySelectorAll("#rows thead button")].find(button => button.textContent === "${name}")`;
await test("a table by a column, with a click and with keys", async () => {
  await visit("table.ecsv");
  await until(head("flux"), "the heads of the columns");
  same(await directions(), [null, "none", "none", "none"], "directions before");
  await run(`${head("flux")}.click()`);
  await until(`document.getElementById("range").textContent.endsWith("by flux")`, "upward");
  same(await run(`[...document.querySelectorAll("#rows tbody tr")].slice(0, 3).map(row => row.children[1].textContent)`), ["0", "1", "3"], "rows upward");
  await run(`${head("flux")}.focus()`);
  await key("Enter", "Enter");
  await until(`document.getElementById("range").textContent.endsWith("by flux, downward")`, "downward");
  same(await firstRow(), ["249", "249", "31.125", "<b>star</b> 249"], "first row downward");
  same(await directions(), [null, "none", "descending", "none"], "directions");
  same(await run("document.activeElement.textContent"), "flux", "the head keeps the focus");
  await picture("sorted-desktop-light");
  await run(`document.getElementById("after").click()`);
  await run(`document.getElementById("after").click()`);
  await until(`document.getElementById("range").textContent.startsWith("rows 200 to 249")`, "the last page");
  same(await run(`[...document.querySelectorAll("#rows tbody tr")].map(row => row.children[2].textContent).every(text => text === "--")`), true, "missing cells are last");
  await key("Enter", "Enter");
  await until(`document.getElementById("range").textContent === "rows 0 to 99 of 250"`, "the order of the file");
  await run(`${head("name")}.click()`);
  await until(`document.getElementById("range").textContent.endsWith("by name")`, "texts");
  same(await run(`[...document.querySelectorAll("#rows tbody tr")].slice(0, 3).map(row => row.children[0].textContent)`), ["0", "1", "10"], "texts by their letters");
  await size(390, 844, "dark");
  await picture("sorted-phone-dark");
  await size(1280, 900, "light");
  await visit("catalogue.asdf");
  await until(`document.querySelectorAll("#tree .row").length > 1`, "the tree");
  await run(`document.querySelector('#tree [data-path="/catalogue"]').click()`);
  await until(head("id"), "the heads of the columns");
  await run(`${head("id")}.click()`);
  await until(`document.getElementById("range").textContent.endsWith("by id")`, "upward in a tree");
  await run(`${head("id")}.click()`);
  await until(`document.getElementById("range").textContent.endsWith("by id, downward")`, "downward in a tree");
  same((await firstRow())[0], "249", "first row in a tree");
  await visit("large.ecsv");
  await until(head("x"), "a large text");
  await run(`${head("x")}.click()`);
  await until(`document.getElementById("range").textContent === "rows 0 to 99 of 1000000 by x"`, "a large text upward");
  await run(`${head("x")}.click()`);
  await until(`document.getElementById("range").textContent.endsWith("downward")`, "a large text downward");
  same(await firstRow(), ["999999", "999999", "124999.875"], "first row of a large text");
});

await test("search by keys alone", async () => {
  await visit("catalogue.asdf");
  await until(`document.querySelectorAll("#tree .row").length > 1`, "the tree");
  await run(`document.getElementById("search").focus()`);
  for (const letter of "wanted") await key(letter, `Key${letter.toUpperCase()}`);
  await until(`document.getElementById("hits").textContent === "2 found"`, "the hits");
  same(await run(`[...document.querySelectorAll("#found .row")].map(row => row.dataset.path)`), ["/deep/list/0/Wanted", "/deep/list/1/other"], "the found nodes");
  await picture("search-desktop-light");
  await key("Tab", "Tab");
  await key("Enter", "Enter");
  await until(`document.getElementById("path").textContent === "/deep/list/0/Wanted"`, "the found node is shown");
  await run(`document.getElementById("search").value = ""; document.getElementById("search").dispatchEvent(new Event("input"))`);
  await until(`document.getElementById("found").hidden && !document.getElementById("tree").hidden`, "the tree is back");
});

await test("a tree that is too large to show", async () => {
  await visit("wide.asdf");
  await until(`document.querySelectorAll("#tree .row").length > 100`, "the first children");
  if (await run(`document.getElementById("tree").textContent.length`) > 50000) throw new Error("the page holds a whole key");
  await run(`document.getElementById("search").value = "last"; document.getElementById("search").dispatchEvent(new Event("input"))`);
  await until(`document.getElementById("hits").textContent === "1 found"`, "the last key");
  await run(`document.getElementById("search").value = "wanted"; document.getElementById("search").dispatchEvent(new Event("input"))`);
  await until(`document.getElementById("hits").textContent === "1 found"`, "a key in a circle of aliases");
});

await test("a large file: few bytes for a thumbnail", async () => {
  await visit("large.asdf");
  await until(`document.getElementById("canvas").dataset.shown && Number(document.getElementById("traffic").dataset.bytes) > 0`, "the thumbnail");
  await new Promise(resolve => setTimeout(resolve, 1500));
  const bytes = await until(`Number(document.getElementById("traffic").dataset.bytes)`, "the traffic");
  console.log(`large file: ${bytes} bytes read`);
  if (bytes > 10e6) throw new Error(`${bytes} bytes were read`);
  await picture("large-desktop-light");
});

await test("a dropped file", async () => {
  await page("Page.navigate", { url: `${address}viewer/viewer/index.html` });
  await until(`document.readyState === "complete" && document.body.ondrop`, "the page is ready");
  await run(`(async () => {
    const bytes = await (await fetch("/files/image.asdf")).arrayBuffer();
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], "dropped.asdf"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
  await until(`document.getElementById("canvas").dataset.shown`, "the image is shown");
  same(await text("title"), "dropped.asdf", "title");
});

await test("names are text", async () => {
  await visit("hostile.asdf");
  await until(`document.querySelectorAll("#tree .row").length > 0`, "the tree");
  await run(`for (const row of document.querySelectorAll("#tree .row")) row.click()`);
  await new Promise(resolve => setTimeout(resolve, 500));
  same(await run("window.fired === undefined"), true, "no script of a name runs");
  same(await run(`document.querySelectorAll("#content script, #content img").length`), 0, "elements of names");
  if (!(await text("tree")).includes("<script>")) throw new Error("the key is not shown");
});

await test("damaged files give a message", async () => {
  for (const file of expected.damaged) {
    await visit(file);
    await until(`!document.getElementById("failure").hidden && document.getElementById("failure").textContent || document.querySelector("#tree .bad")`, `a message about ${file}`);
  }
  await picture("damaged");
});

console.log(`${passed} passed, ${failed} failed`);
await send("Browser.close").catch(() => {});
process.exit(failed ? 1 : 0);
