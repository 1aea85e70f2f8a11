// Search in the tree, keys for the tree, sorting and filtering of tables. All data are in the page.
"use strict";
const tree = document.getElementById("nodes");
const search = document.getElementById("search");
const found = document.getElementById("found");

function openAll(state) {
  tree.querySelectorAll("details").forEach((details, index) => { details.open = state || index === 0; });
}

function lineOf(item) {
  return item.querySelector(":scope > details > summary, :scope > .leaf");
}

function runSearch() {
  const wanted = search.value.trim().toLowerCase();
  const items = [...tree.querySelectorAll("li")];
  let hits = 0;
  items.forEach((item) => {
    const line = lineOf(item);
    const hit = wanted !== "" && line !== null && line.textContent.toLowerCase().includes(wanted);
    item.classList.toggle("hit", hit);
    item.hidden = wanted !== "";
    hits += hit ? 1 : 0;
  });
  if (wanted === "") {
    found.textContent = "";
    return;
  }
  items.filter((item) => item.classList.contains("hit")).forEach((item) => {
    item.hidden = false;
    item.querySelectorAll("li").forEach((below) => { below.hidden = false; });
    for (let above = item.parentElement.closest("li"); above; above = above.parentElement.closest("li")) {
      above.hidden = false;
      above.firstElementChild.open = true;
    }
  });
  found.textContent = hits === 1 ? "1 node found" : `${hits} nodes found`;
}

// What is in a closed branch still has a box in some browsers.
function isVisible(line) {
  return line.checkVisibility ? line.checkVisibility() : line.offsetParent !== null;
}

function visibleLines() {
  return [...tree.querySelectorAll("summary[data-path], .leaf")].filter(isVisible);
}

function moveFocus(event) {
  const line = event.target.closest("summary[data-path], .leaf");
  if (!line || event.altKey || event.ctrlKey || event.metaKey) return;
  const lines = visibleLines();
  const place = lines.indexOf(line);
  const details = line.tagName === "SUMMARY" ? line.parentElement : null;
  let next = null;
  if (event.key === "ArrowDown") next = lines[place + 1];
  else if (event.key === "ArrowUp") next = lines[place - 1];
  else if (event.key === "Home") next = lines[0];
  else if (event.key === "End") next = lines[lines.length - 1];
  else if (event.key === "ArrowRight" && details && !details.open) details.open = true;
  else if (event.key === "ArrowRight" && details) next = lines[place + 1];
  else if (event.key === "ArrowLeft" && details && details.open) details.open = false;
  else if (event.key === "ArrowLeft") {
    const above = line.closest("li").parentElement.closest("li");
    next = above ? lineOf(above) : null;
  } else return;
  event.preventDefault();
  if (next) next.focus();
}

if (tree) {
  search.addEventListener("input", runSearch);
  document.getElementById("open").addEventListener("click", () => openAll(true));
  document.getElementById("close").addEventListener("click", () => openAll(false));
  tree.addEventListener("keydown", moveFocus);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      search.focus();
    }
    if (event.key === "Escape" && event.target === search) {
      search.value = "";
      runSearch();
    }
  });
}

// Missing cells stay at the end in both directions.
function compare(first, second, column, numeric, sign) {
  const cells = [first, second].map((row) => row.cells[column]);
  const missing = cells.map((cell) => cell.classList.contains("missing"));
  if (missing[0] || missing[1]) return missing[0] - missing[1];
  const [a, b] = cells.map((cell) => cell.textContent);
  if (!numeric) return sign * a.localeCompare(b);
  const [x, y] = [Number(a), Number(b)];
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
  return sign * (x - y);
}

document.querySelectorAll(".rows").forEach((part) => {
  const body = part.querySelector("tbody");
  part.querySelectorAll("th button").forEach((button) => button.addEventListener("click", () => {
    const head = button.parentElement;
    const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    part.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
    const numeric = head.dataset.kind === "number";
    const rows = [...body.rows].sort((a, b) => compare(a, b, head.cellIndex, numeric, sign));
    body.append(...rows);
  }));
  const filter = part.querySelector(".filter");
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase();
    for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
});
