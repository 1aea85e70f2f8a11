// Pages of tables, of lists of numbers, and of arrays of records.

import { element, replace } from "./page.js";

/** Rows of a page. */
const ROWS = 100;
/** Columns that are shown. */
const COLUMNS = 60;
/** Types of columns that have no order: their numbers are complex, or kept as texts. */
const UNORDERED = /^(complex|float128|decimal)/;

export class RowsView {
  #work;
  #read;
  #start = 0;
  #sort = null;
  #version = 0;

  constructor(work) {
    this.#work = work;
    document.getElementById("before").onclick = () => this.#go(this.#start - ROWS).catch(() => {});
    document.getElementById("after").onclick = () => this.#go(this.#start + ROWS).catch(() => {});
  }

  hide() {
    this.#version++;
    document.getElementById("rows").hidden = true;
  }

  showTable(file, node) {
    this.#read = async (start, sort) => {
      const { rows, columns, rowNumbers } = await file.readTable(node.path, { start, count: ROWS, ...sort });
      const heads = columns.map(({ name, unit, datatype, cellShape }) =>
        ({ name, unit, isSortable: !cellShape && !UNORDERED.test(datatype) }));
      return { rows, rowNumbers, heads, cells: columns.map(cells) };
    };
    return this.#go(0, null);
  }

  showArray(file, node) {
    const names = node.fields ?? [undefined];
    const [rows = 1, ...inner] = node.shape;
    this.#read = async start => {
      const count = Math.min(ROWS, rows - start);
      const part = node.shape.length ? { start: node.shape.map((_, axis) => (axis ? 0 : start)), count: [count, ...inner] } : {};
      const regions = [];
      for (const field of names.slice(0, COLUMNS)) {
        // The field of a record can have further dimensions, or be a record itself.
        const whole = field === undefined ? part : { field };
        try {
          regions.push(await file.readRegion(node.path, field === undefined || !inner.length ? { ...part, ...whole } : whole));
        } catch (error) {
          regions.push({ data: Array(count).fill(error.message), mask: null });
        }
      }
      const size = inner.reduce((all, extent) => all * extent, 1);
      const texts = regions.map(({ data, mask }) => Array.from({ length: count }, (_, row) =>
        mask?.[row * size] ? null : size === 1 ? String(data[row]) : Array.from(data.slice(row * size, Math.min(row * size + size, row * size + 50))).join(", ")));
      return { rows, heads: names.slice(0, COLUMNS).map(name => ({ name: name ?? "value", unit: node.unit })), cells: texts };
    };
    return this.#go(0, null);
  }

  /** Orders the rows by a column: upward, downward, then as the file has them. */
  #sortBy(sort) {
    const current = this.#sort?.sort === sort ? this.#sort : null;
    const next = current?.descending ? null : { sort, descending: Boolean(current) };
    // `work` has told the failure.
    this.#go(0, next).catch(() => {});
  }

  async #go(start, sort = this.#sort) {
    // The next click counts from here, also if it comes before the rows.
    const [before, version] = [[this.#start, this.#sort], ++this.#version];
    [this.#start, this.#sort] = [Math.max(0, start), sort];
    let page;
    try {
      page = await this.#work(() => this.#read(this.#start, sort));
    } catch (error) {
      if (version === this.#version) [this.#start, this.#sort] = before;
      throw error;
    }
    if (version !== this.#version) return;
    const { rows, rowNumbers, heads, cells } = page;
    const part = document.getElementById("rows");
    const count = cells[0]?.length ?? 0;
    const top = part.querySelector("thead");
    const focused = [...top.querySelectorAll("button")].indexOf(document.activeElement);
    replace(top, element("tr", {}, element("th", { scope: "col" }, "row"), ...heads.slice(0, COLUMNS).map(head => this.#head(head))));
    if (focused >= 0) top.querySelectorAll("button")[focused]?.focus();
    const lines = Array.from({ length: count }, (_, row) => element("tr", {}, element("th", { scope: "row" }, String(rowNumbers?.[row] ?? this.#start + row)),
      ...cells.slice(0, COLUMNS).map(column => column[row] === null ? element("td", { className: "missing" }, "--") : element("td", {}, column[row].slice(0, 200)))));
    replace(part.querySelector("tbody"), ...lines);
    const of = (rows === null ? "" : ` of ${rows}`) + (sort ? ` by ${sort.sort}${sort.descending ? ", downward" : ""}` : "");
    document.getElementById("range").textContent = count ? `rows ${this.#start} to ${this.#start + count - 1}${of}` : rows === null ? "no more rows" : `${rows} rows`;
    document.getElementById("before").disabled = this.#start === 0;
    document.getElementById("after").disabled = rows === null ? count < ROWS : this.#start + count >= rows;
    part.hidden = false;
  }

  /** Returns the head of a column. A button in it orders the rows. */
  #head({ name, unit, isSortable }) {
    const units = unit ? [element("br"), element("span", { className: "unit" }, unit)] : [];
    if (!isSortable) return element("th", { scope: "col" }, name, ...units);
    const direction = this.#sort?.sort !== name ? "none" : this.#sort.descending ? "descending" : "ascending";
    const button = element("button", { className: "sort", title: "Sort" }, name);
    button.onclick = () => this.#sortBy(name);
    return element("th", { scope: "col", "aria-sort": direction }, button, ...units);
  }
}

/** Returns the cells of a column as texts; null for missing ones. */
function cells({ data, datatype, missing, cellShape, lengths }) {
  const isMissing = new Set(missing);
  const parts = datatype.startsWith("complex") && !Array.isArray(data) ? 2 : 1;
  const one = index => {
    if (datatype === "bool") return data[index] ? "True" : "False";
    if (parts === 2) return `${data[2 * index]}${data[2 * index + 1] < 0 ? "" : "+"}${data[2 * index + 1]}j`;
    return String(data[index]);
  };
  const sizes = lengths ?? null;
  const size = cellShape && !lengths ? cellShape.reduce((all, extent) => all * extent, 1) : 1;
  const out = [];
  const total = data.length / parts;
  for (let at = 0, row = 0; sizes ? row < sizes.length : at < total || (size === 0 && row < 0); row++) {
    const length = sizes ? sizes[row] : size;
    if (isMissing.has(row)) out.push(null);
    else if (!cellShape) out.push(one(at));
    else out.push(`[${Array.from({ length: Math.min(length, 50) }, (_, index) => one(at + index)).join(", ")}${length > 50 ? ", …" : ""}]`);
    at += length;
  }
  return out;
}
