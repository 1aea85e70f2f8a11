// The reader itself: synchronous, for workers and Node. It sends requests to the WebAssembly module as JSON.

const ARRAYS = {
  int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array,
  int64: BigInt64Array, uint64: BigUint64Array, float32: Float32Array, float64: Float64Array, bool8: Uint8Array,
  bool: Uint8Array, complex64: Float32Array, complex128: Float64Array,
};

/** A failure of the library, with the place in the file where it is known. */
export class AsdfError extends Error {
  constructor(facts) {
    super(facts.message);
    this.name = "AsdfError";
    this.facts = facts;
  }
}

/** Compiles the module once; makes readers of it. */
export class Core {
  #module;
  #instance;
  #sources = new Map();
  #last = 0;
  #failure = null;

  constructor(module) {
    this.#module = module;
    this.#start();
  }

  #start() {
    const read_at = (number, offset, place, length) => {
      try {
        const bytes = this.#sources.get(number).read(offset, length);
        new Uint8Array(this.#instance.exports.memory.buffer).set(bytes.subarray(0, length), place);
        return Math.min(bytes.length, length);
      } catch (error) {
        this.#failure = error;
        return -1;
      }
    };
    this.#instance = new WebAssembly.Instance(this.#module, { asdfkit: { read_at } });
  }

  /** Sends a request. Returns the facts of the answer and a copy of its bytes. */
  call(request) {
    const text = new TextEncoder().encode(JSON.stringify(request));
    const { memory, asdfkit_allocate, asdfkit_call } = this.#instance.exports;
    this.#failure = null;
    let answer;
    try {
      const place = asdfkit_allocate(text.length);
      if (place === 0) throw new RangeError("no memory");
      new Uint8Array(memory.buffer).set(text, place);
      answer = asdfkit_call(place, text.length);
    } catch (error) {
      // The memory of the module is in an unknown state: all files are closed.
      this.#start();
      throw new AsdfError({ message: `the reader failed and was started anew (${error.message}); open the file again`, restarted: true });
    }
    const [json, jsonLength, bytes, length] = new Uint32Array(memory.buffer, answer, 4);
    const facts = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, json, jsonLength)));
    if (facts.error) {
      if (this.#failure) facts.error.message += `: ${this.#failure.message}`;
      throw new AsdfError(facts.error);
    }
    return { facts, bytes: new Uint8Array(memory.buffer, bytes, length).slice() };
  }

  /** Opens the file of a source: an object with `length`, `requestCost` and `read(offset, length)`. */
  open(source) {
    const number = ++this.#last;
    this.#sources.set(number, source);
    try {
      const { facts } = this.call({ call: "open", source: number, length: source.length, requestCost: source.requestCost ?? 16384 });
      return new CoreFile(this, facts, () => this.#sources.delete(number));
    } catch (error) {
      this.#sources.delete(number);
      throw error;
    }
  }

  /** Returns the colours of a map: 256 times red, green, blue. */
  colours(name) {
    return this.call({ call: "colours", colours: name }).bytes;
  }
}

/** Makes a reader of the bytes of `asdfkit.wasm`. */
export async function load(wasm) {
  return new Core(await WebAssembly.compile(wasm));
}

/** An open file. */
export class CoreFile {
  #core;
  #number;
  #release;

  constructor(core, facts, release) {
    this.#core = core;
    this.#number = facts.file;
    this.#release = release;
    this.format = facts.format;
    this.formatVersion = facts.formatVersion;
    this.warnings = facts.warnings;
  }

  #call(call, request) {
    return this.#core.call({ ...request, call, file: this.#number });
  }

  close() {
    this.#call("close", {});
    this.#release();
  }

  node(path = "", { start = 0, count = 200 } = {}) {
    return this.#call("node", { path, start, count }).facts;
  }

  tree({ path = "", depth = 8, nodes = 10000 } = {}) {
    let left = nodes;
    const root = { ...this.node(path, { count: 0 }).node, key: "" };
    let level = [root];
    // Level by level, so that neither depth nor cycles of aliases matter.
    for (let at = 0; at < depth && level.length > 0; at++) {
      const next = [];
      for (const parent of level) {
        if (!parent.count || left <= 0) continue;
        parent.children = this.node(parent.path, { count: Math.min(left, parent.count) }).children;
        left -= parent.children.length;
        next.push(...parent.children.filter(child => child.count > 0 && !child.datatype));
      }
      level = next;
    }
    return root;
  }

  readRegion(path, { start, count, step, field } = {}) {
    const { facts, bytes } = this.#call("region", { path, start, count, step, field });
    const mask = facts.masked ? bytes.slice(facts.elementBytes) : null;
    const data = facts.texts ?? typed(facts.datatype, bytes, 0, facts.elementBytes);
    return { datatype: facts.datatype, shape: facts.shape, data, mask };
  }

  readTable(path = "", { start = 0, count = 1000, columns, sort, descending } = {}) {
    const { facts, bytes } = this.#call("table", { path, start, count, columns, sort, descending });
    for (const column of facts.columns) {
      column.data = column.texts ?? typed(column.datatype, bytes, column.offset, column.elementBytes);
      for (const key of ["texts", "offset", "elementBytes"]) delete column[key];
    }
    return facts;
  }

  picture(path, request) {
    const { facts, bytes } = this.#call("picture", { path, ...request });
    return { ...facts, pixels: new Uint8ClampedArray(bytes.buffer) };
  }

  search(text) {
    return this.#call("search", { text }).facts;
  }

  sky(x, y) {
    return this.#call("sky", { x, y }).facts;
  }
}

function typed(datatype, bytes, offset, length) {
  const Kind = ARRAYS[datatype];
  if (!Kind) throw new AsdfError({ message: `there is no array for ${datatype}` });
  return new Kind(bytes.buffer, offset, length / Kind.BYTES_PER_ELEMENT);
}
