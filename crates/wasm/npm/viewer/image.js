// An image of any size: tiles at the resolution of the screen, read when they come into view.

import { element, replace } from "./page.js";

/** Pixels along a side of a tile. */
const TILE = 256;
/** Bytes that one tile may cost, from a server and from this computer. A tile far from the full resolution leaves out rows. */
const TILE_BYTES = { remote: 1 << 20, local: 16 << 20 };
/** Bytes that all tiles in view may cost if they come from a server. */
const VIEW_BYTES = 6 << 20;
/** Tiles that are kept. */
const MOST = 200;
const SIZES = { int8: 1, uint8: 1, bool8: 1, int16: 2, uint16: 2, float16: 2, int32: 4, uint32: 4, float32: 4 };

export class ImageView {
  #work;
  #file = null;
  #node;
  #tiles = new Map();
  #queue = Promise.resolve();
  #version = 0;
  #asking = false;
  #wanted = null;
  #pointers = new Map();
  /** True while all of the image is shown, also when the window gets another size. */
  #fitted = true;

  constructor(work) {
    this.#work = work;
    this.canvas = document.getElementById("canvas");
    const change = () => this.#restart().catch(() => {});
    for (const id of ["stretch", "colours", "interval"]) document.getElementById(id).onchange = change;
    document.getElementById("in").onclick = () => this.#zoom(2);
    document.getElementById("out").onclick = () => this.#zoom(0.5);
    document.getElementById("fit").onclick = () => this.#fit();
    this.canvas.onkeydown = event => this.#key(event);
    this.canvas.addEventListener("wheel", event => {
      event.preventDefault();
      this.#zoom(2 ** (-event.deltaY / 300), this.#place(event));
    }, { passive: false });
    this.canvas.onpointerdown = event => {
      this.canvas.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, this.#place(event));
    };
    this.canvas.onpointerup = this.canvas.onpointercancel = event => this.#pointers.delete(event.pointerId);
    this.canvas.onpointermove = event => this.#move(event);
    new ResizeObserver(() => this.#fitted ? this.#fit() : this.#draw()).observe(this.canvas);
  }

  hide() {
    document.getElementById("image").hidden = true;
    this.#file = null;
    this.#version++;
  }

  async show(file, node) {
    this.#file = file;
    this.#node = node;
    const rank = node.shape.length;
    this.height = node.shape[rank - 2];
    this.width = node.shape[rank - 1];
    this.planes = node.shape.slice(0, -2).map(extent => Math.floor((extent - 1) / 2));
    replace(document.getElementById("planes"), ...this.planes.map((plane, axis) => {
      const input = element("input", { type: "number", min: 0, max: node.shape[axis] - 1, value: plane, "aria-label": `Index of dimension ${axis}` });
      input.onchange = () => {
        this.planes[axis] = Math.min(Math.max(0, Math.trunc(Number(input.value)) || 0), node.shape[axis] - 1);
        input.value = this.planes[axis];
        this.#restart().catch(() => {});
      };
      return element("label", {}, `Plane of ${node.shape[axis]} `, input);
    }));
    document.getElementById("image").hidden = false;
    this.#fit(false);
    await this.#restart();
  }

  /** Steps at which a tile of a level is read: rows are left out where whole rows would cost too much. */
  #steps(level) {
    const step = 2 ** level;
    const most = this.#file.isRemote ? TILE_BYTES.remote : TILE_BYTES.local;
    let rows = step;
    while (this.#cost(level, rows) > most && rows < TILE * step) rows *= 2;
    return [rows, step];
  }

  /** Bytes of a tile of a level, of which every row with this step is read. */
  #cost(level, rowStep) {
    const span = TILE * 2 ** level;
    return Math.ceil(Math.min(span, this.height) / rowStep) * Math.min(span, this.width) * (SIZES[this.#node.datatype] ?? 8);
  }

  #request(level, row, column) {
    const [rowStep, columnStep] = this.#steps(level);
    const span = TILE * columnStep;
    const start = [row * span, column * span];
    const count = [Math.ceil(Math.min(span, this.height - start[0]) / rowStep), Math.ceil(Math.min(span, this.width - start[1]) / columnStep)];
    return { start: [...this.planes, ...start], count: [...this.planes.map(() => 1), ...count], step: [...this.planes.map(() => 1), rowStep, columnStep] };
  }

  get #look() {
    const value = id => document.getElementById(id).value;
    return { stretch: value("stretch"), colours: value("colours") };
  }

  get #coarsest() {
    return Math.max(0, Math.ceil(Math.log2(Math.max(this.width, this.height) / TILE)));
  }

  /** Chooses the limits by the coarsest tile, then draws. */
  async #restart() {
    const version = ++this.#version;
    this.#tiles.clear();
    const [file, node] = [this.#file, this.#node];
    const level = this.#coarsest;
    const request = { ...this.#request(level, 0, 0), ...this.#look, interval: document.getElementById("interval").value };
    const picture = await this.#work(() => file.picture(node.path, request));
    if (version !== this.#version) return;
    this.limits = { low: picture.low, high: picture.high };
    this.#keep(`${level}/0/0`, picture);
    const shown = value => String(Number(value.toPrecision(5)));
    document.getElementById("low").textContent = shown(picture.low);
    document.getElementById("high").textContent = shown(picture.high) + (node.unit ? ` ${node.unit}` : "");
    this.canvas.dataset.shown = `${node.path} ${this.#look.stretch} ${this.#look.colours}`;
    this.#drawBar();
    this.#draw();
  }

  #keep(key, { width, height, pixels }) {
    const tile = document.createElement("canvas");
    tile.width = width;
    tile.height = height;
    tile.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
    if (this.#tiles.size >= MOST) this.#tiles.delete(this.#tiles.keys().next().value);
    this.#tiles.set(key, tile);
  }

  async #drawBar() {
    const bar = document.getElementById("bar").getContext("2d");
    // A ramp that the reader colours would need an array; the colours themselves are enough.
    const colours = await this.#file?.colours?.(this.#look.colours);
    if (!colours) return;
    const ramp = new Uint8ClampedArray(256 * 4);
    for (let at = 0; at < 256; at++) ramp.set([...colours.subarray(3 * at, 3 * at + 3), 255], 4 * at);
    bar.putImageData(new ImageData(ramp, 256, 1), 0, 0);
  }

  #fit(draws = true) {
    this.#fitted = true;
    const { clientWidth, clientHeight } = this.canvas;
    this.scale = Math.min((clientWidth || 300) / this.width, (clientHeight || 300) / this.height);
    this.center = [this.width / 2, this.height / 2];
    if (draws) this.#draw();
  }

  #zoom(factor, at) {
    this.#fitted = false;
    const { clientWidth, clientHeight } = this.canvas;
    const [x, y] = at ?? [clientWidth / 2, clientHeight / 2];
    const before = this.#pixel([x, y]);
    this.scale = Math.min(Math.max(this.scale * factor, 64 / Math.max(this.width, this.height)), 64);
    const after = this.#pixel([x, y]);
    this.center = [this.center[0] + before[0] - after[0], this.center[1] + before[1] - after[1]];
    this.#draw();
  }

  #pan(dx, dy) {
    this.#fitted = false;
    this.center = [this.center[0] - dx / this.scale, this.center[1] + dy / this.scale];
    this.#draw();
  }

  #key(event) {
    const moves = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
    if (moves[event.key]) this.#pan(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.#zoom(2);
    else if (event.key === "-") this.#zoom(0.5);
    else if (event.key === "0") this.#fit();
    else return;
    event.preventDefault();
    const { clientWidth, clientHeight } = this.canvas;
    this.#ask([clientWidth / 2, clientHeight / 2]);
  }

  #place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left - this.canvas.clientLeft, event.clientY - box.top - this.canvas.clientTop];
  }

  /** Returns the place in the image, in pixels from its corner. The first row is at the bottom. */
  #pixel([x, y]) {
    const { clientWidth, clientHeight } = this.canvas;
    return [this.center[0] + (x - clientWidth / 2) / this.scale, this.center[1] - (y - clientHeight / 2) / this.scale];
  }

  #move(event) {
    if (!this.#file) return;
    const place = this.#place(event);
    const before = this.#pointers.get(event.pointerId);
    if (before) {
      const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
      const distance = (from, to) => Math.hypot(from[0] - to[0], from[1] - to[1]);
      if (other) this.#zoom(distance(place, other) / Math.max(1, distance(before, other)), other);
      else this.#pan(place[0] - before[0], place[1] - before[1]);
      this.#pointers.set(event.pointerId, place);
    }
    this.#ask(place);
  }

  /** Tells the pixel, its value and its place on the sky. While one answer is awaited, only the last place is kept. */
  async #ask(place) {
    this.#wanted = place;
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (this.#wanted && this.#file) {
        const [x, y] = this.#pixel(this.#wanted).map(Math.floor);
        this.#wanted = null;
        await this.#tell(x, y);
      }
    } finally {
      this.#asking = false;
    }
  }

  async #tell(x, y) {
    const line = document.getElementById("pointer");
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) {
      line.textContent = "\u00a0";
      return;
    }
    const [file, node] = [this.#file, this.#node];
    let text = `[${[...this.planes, y, x].join(", ")}]`;
    try {
      const { data, mask } = await file.readRegion(node.path, { start: [...this.planes, y, x], count: node.shape.map(() => 1) });
      text += mask?.[0] ? " masked" : ` ${data[0]}${node.unit ? ` ${node.unit}` : ""}`;
      const sky = await file.sky(x, y).catch(() => ({}));
      const fits = !sky.arrayShape || sky.arrayShape.every((extent, axis) => extent === node.shape.at(axis - sky.arrayShape.length));
      if (sky.longitude !== undefined && fits) text += `  ${sky.longitude.toFixed(6)}° ${sky.latitude.toFixed(6)}° ${sky.frame ?? ""}`;
    } catch (error) {
      text += ` ${error.message}`;
    }
    if (file === this.#file) line.textContent = text;
  }

  #draw() {
    if (!this.#file || !this.limits) return;
    const { clientWidth, clientHeight } = this.canvas;
    const ratio = devicePixelRatio || 1;
    this.canvas.width = clientWidth * ratio;
    this.canvas.height = clientHeight * ratio;
    const context = this.canvas.getContext("2d");
    context.imageSmoothingEnabled = false;
    let level = Math.min(this.#coarsest, Math.max(0, Math.floor(Math.log2(1 / (this.scale * ratio)))));
    while (this.#file.isRemote && level < this.#coarsest && this.#viewCost(level) > VIEW_BYTES) level++;
    // Coarser tiles fill the places whose own tiles are not there yet.
    for (let at = this.#coarsest; at >= level; at--) this.#drawLevel(context, ratio, at, at === level);
  }

  /** First and last row, and first and last column, of the tiles in view. */
  #inView(level) {
    const span = TILE * 2 ** level;
    const { clientWidth, clientHeight } = this.canvas;
    const [left, top] = this.#pixel([0, 0]);
    const [right, bottom] = this.#pixel([clientWidth, clientHeight]);
    const within = (value, extent) => Math.min(Math.max(0, Math.floor(value / span)), Math.floor((extent - 1) / span));
    return [within(bottom, this.height), within(top, this.height), within(left, this.width), within(right, this.width)];
  }

  #viewCost(level) {
    const [firstRow, lastRow, firstColumn, lastColumn] = this.#inView(level);
    return (lastRow - firstRow + 1) * (lastColumn - firstColumn + 1) * this.#cost(level, this.#steps(level)[0]);
  }

  #drawLevel(context, ratio, level, isWanted) {
    const span = TILE * 2 ** level;
    const [left, top] = this.#pixel([0, 0]);
    const [rowStep, columnStep] = this.#steps(level);
    const [firstRow, lastRow, firstColumn, lastColumn] = this.#inView(level);
    for (let row = firstRow; row <= lastRow; row++) {
      for (let column = firstColumn; column <= lastColumn; column++) {
        const key = `${level}/${row}/${column}`;
        const tile = this.#tiles.get(key);
        if (!tile) {
          // A tile that is being read has no picture yet.
          if (isWanted && !this.#tiles.has(key)) this.#load(key, level, row, column);
          continue;
        }
        const x = (column * span - left) * this.scale * ratio;
        const y = (top - row * span) * this.scale * ratio;
        context.save();
        context.translate(x, y);
        context.scale(1, -1);
        context.drawImage(tile, 0, 0, tile.width * columnStep * this.scale * ratio, tile.height * rowStep * this.scale * ratio);
        context.restore();
      }
    }
  }

  #load(key, level, row, column) {
    const [file, node, version] = [this.#file, this.#node, this.#version];
    this.#tiles.set(key, null);
    this.#queue = this.#queue.then(async () => {
      if (version !== this.#version) return;
      const request = { ...this.#request(level, row, column), ...this.#look, ...this.limits };
      const picture = await this.#work(() => file.picture(node.path, request));
      if (version !== this.#version) return;
      this.#keep(key, picture);
      this.#draw();
    }).catch(() => {});
  }
}
