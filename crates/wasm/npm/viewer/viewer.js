// The viewer page: opens files, shows the tree, and gives the selected node to the views. Names of files come into the page
// as text only, never as HTML.

import { Reader } from "../index.js";
import { languages, program } from "./code.js";
import { element, replace, say, fail, quiet } from "./page.js";
import { ImageView } from "./image.js";
import { RowsView } from "./rows.js";

/** Children that are shown at once. */
const CHILDREN = 200;
/** Characters of a key that are shown. */
const KEY = 200;
/** Milliseconds after the last key until a search begins. */
const PAUSE = 250;
/** A call that takes longer is stopped: the file may be made to waste time. */
const PATIENCE = 60000;

let reader = new Reader();
let file = null;
let name = "";
let selected = null;
const image = new ImageView(work);
const rows = new RowsView(work);

/** Waits for a call to the reader; stops the reader if it takes too long. */
async function work(call) {
  const stop = document.getElementById("stop");
  stop.hidden = false;
  const timer = setTimeout(() => restart("it took longer than a minute"), PATIENCE);
  try {
    return await call();
  } catch (error) {
    fail(error.message);
    throw error;
  } finally {
    clearTimeout(timer);
    stop.hidden = true;
    showTraffic();
  }
}

function restart(reason) {
  reader.end();
  reader = new Reader();
  file = null;
  document.getElementById("content").hidden = true;
  say(`Stopped: ${reason}. Open the file again.`);
}

async function showTraffic() {
  if (!file) return;
  try {
    const { bytesRead, requests } = await file.traffic();
    document.getElementById("traffic").textContent = requests ? `${(bytesRead / 1e6).toFixed(2)} MB of ${(file.size / 1e6).toFixed(2)} MB read in ${requests} requests` : "";
    document.getElementById("traffic").dataset.bytes = bytesRead;
  } catch {
    // The file was closed meanwhile.
  }
}

async function open(title, opening) {
  quiet();
  say(`Opening ${title} …`);
  document.getElementById("content").hidden = true;
  try {
    const opened = await work(opening);
    if (file) file.close();
    file = opened;
    name = title;
    document.getElementById("title").textContent = title;
    document.title = `${title} – ASDF viewer`;
    say(file.warnings.length ? `Warnings: ${file.warnings.join("; ")}` : `${file.format.toUpperCase()} ${file.formatVersion ?? ""}`);
    await showTree();
  } catch (error) {
    fail(error.message);
    say("");
  }
}

/** Shows the nodes that hold the text of the search field; the tree if the field is empty. */
async function search() {
  const text = document.getElementById("search").value.trim();
  const [tree, found, hits] = ["tree", "found", "hits"].map(id => document.getElementById(id));
  if (text && file) {
    const { nodes, isComplete } = await work(() => file.search(text));
    if (text !== document.getElementById("search").value.trim()) return;
    replace(found, ...nodes.map(node => line({ ...node, key: node.path })));
    hits.textContent = isComplete ? `${nodes.length} found` : `first ${nodes.length}`;
  } else hits.textContent = "";
  tree.hidden = Boolean(text);
  found.hidden = !text;
}

async function showTree() {
  const tree = document.getElementById("tree");
  document.getElementById("search").value = "";
  document.getElementById("searching").hidden = file.format === "ecsv";
  await search();
  if (file.format === "ecsv") {
    const node = { path: "", key: "rows", kind: "table" };
    replace(tree, line(node, 0));
    document.getElementById("content").hidden = false;
    return select(node);
  }
  const { node, children } = await work(() => file.node("", { count: CHILDREN }));
  const first = await firstImage(node, children);
  replace(tree, ...list(node, children, 0));
  document.getElementById("content").hidden = false;
  await select(first ?? node);
}

/** Returns the first array with two dimensions near the root. */
async function firstImage(root, children) {
  const level = [...children];
  for (let seen = 0; level.length > 0 && seen < 50; seen++) {
    const node = level.shift();
    if (isImage(node)) return node;
    if (node.count && !node.datatype) level.push(...(await work(() => file.node(node.path, { count: 50 }))).children);
  }
  return null;
}

function isImage(node) {
  return node.shape?.filter(extent => extent > 1).length >= 2 && !/^(ascii|ucs4|record|complex)/.test(node.datatype);
}

function list(parent, children, from) {
  const items = children.map(child => line(child));
  const next = from + children.length;
  if (next < parent.count) {
    const more = element("button", { className: "row type" }, `… ${parent.count - next} more`);
    const item = element("li", {}, more);
    more.onclick = async () => {
      const { children } = await work(() => file.node(parent.path, { start: next, count: CHILDREN }));
      item.replaceWith(...list(parent, children, next));
    };
    items.push(item);
  }
  return items;
}

function short(key) {
  return key.length > KEY ? `${key.slice(0, KEY)}…` : key;
}

/** Returns the line of a node. Its children are read when it is opened. */
function line(node) {
  const text = [element("span", { className: "key" }, short(node.key ?? "/")), " "];
  if (node.value !== undefined) text.push(element("span", { className: "value" }, node.value.slice(0, 100)), " ");
  const kinds = [node.kind];
  if (node.datatype) kinds.push(`${node.datatype} [${node.shape.join(", ")}]`);
  else if (node.count !== undefined) kinds.push(String(node.count));
  text.push(element("span", { className: "type" }, kinds.join(" ")));
  if (node.unit) text.push(" ", element("span", { className: "unit" }, node.unit));
  if (node.error) text.push(" ", element("span", { className: "bad" }, node.error));
  const button = element("button", { className: "row", role: "treeitem" }, ...text);
  button.dataset.path = node.path;
  const item = element("li", { role: "none" }, button);
  const hasChildren = node.count > 0 && node.kind !== "array";
  if (hasChildren) button.setAttribute("aria-expanded", "false");
  const toggle = async wanted => {
    const open = item.querySelector("ul");
    if (!hasChildren || Boolean(open) === wanted) return;
    if (open) open.remove();
    else {
      const { children } = await work(() => file.node(node.path, { count: CHILDREN }));
      item.append(element("ul", { role: "group" }, ...list(node, children, 0)));
    }
    button.setAttribute("aria-expanded", String(wanted));
  };
  button.onclick = () => {
    toggle(!item.querySelector("ul"));
    select(node);
  };
  button.onkeydown = event => {
    const buttons = [...button.closest(".tree").querySelectorAll(".row")];
    const at = buttons.indexOf(button);
    const target = { ArrowDown: buttons[at + 1], ArrowUp: buttons[at - 1], Home: buttons[0], End: buttons.at(-1) }[event.key];
    if (event.key === "ArrowRight") toggle(true);
    else if (event.key === "ArrowLeft") toggle(false);
    else if (target) target.focus();
    else return;
    event.preventDefault();
  };
  return item;
}

async function select(node) {
  quiet();
  selected = node;
  for (const row of document.querySelectorAll("#left .row")) {
    row.setAttribute("aria-current", String(row.dataset.path === node.path));
  }
  document.getElementById("path").textContent = short(node.path || "/");
  const facts = [["kind", node.kind], ["tag", node.tag], ["value", node.value], ["unit", node.unit],
    ["type", node.datatype], ["shape", node.shape?.join(" × ")], ["stored in", node.storage],
    ["compression", node.compression?.replaceAll("\0", "") || undefined], ["mask", node.masked ? "yes" : undefined], ["error", node.error]];
  replace(document.getElementById("facts"), ...facts.filter(([, value]) => value !== undefined)
    .flatMap(([key, value]) => [element("dt", {}, key), element("dd", {}, value)]));
  image.hide();
  rows.hide();
  showProgram();
  try {
    // Records in one dimension are rows.
    if (node.kind === "table" || (node.fields && node.shape.length === 1)) await rows.showTable(file, node);
    else if (isImage(node)) await image.show(file, node);
    else if (node.datatype) await rows.showArray(file, node);
  } catch {
    // `work` has told the failure.
  }
}

function showProgram() {
  document.getElementById("program").textContent = program(document.getElementById("language").value, name, selected, file?.format);
}

function openUrl(url) {
  const title = decodeURIComponent(new URL(url, location.href).pathname.split("/").pop() || url);
  open(title, () => reader.openUrl(new URL(url, location.href)));
}

document.getElementById("chosen").onchange = event => {
  const [chosen] = event.target.files;
  if (chosen) open(chosen.name, () => reader.openBlob(chosen));
};
document.getElementById("address").onsubmit = event => {
  event.preventDefault();
  const url = document.getElementById("url").value;
  if (url) openUrl(url);
};
let pause;
document.getElementById("search").oninput = () => {
  clearTimeout(pause);
  pause = setTimeout(() => search().catch(() => {}), PAUSE);
};
document.getElementById("stop").onclick = () => restart("as you asked");
document.body.ondragover = event => {
  event.preventDefault();
  document.body.classList.add("over");
};
document.body.ondragleave = () => document.body.classList.remove("over");
document.body.ondrop = event => {
  event.preventDefault();
  document.body.classList.remove("over");
  const [dropped] = event.dataTransfer.files;
  if (dropped) open(dropped.name, () => reader.openBlob(dropped));
};
replace(document.getElementById("language"), ...languages.map(language => element("option", {}, language)));
document.getElementById("language").onchange = showProgram;
document.getElementById("copy").onclick = () => navigator.clipboard?.writeText(document.getElementById("program").textContent);

const wanted = new URLSearchParams(location.search).get("url");
if (wanted) {
  try {
    openUrl(wanted);
  } catch (error) {
    fail(error.message);
  }
}
