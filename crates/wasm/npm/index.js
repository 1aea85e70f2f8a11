// The reader for pages: all work is done in a worker, so that the page never waits.

import { AsdfError } from "./core.js";

export { AsdfError };

/** A worker with open files. */
export class Reader {
  #worker;
  #waiting = new Map();
  #last = 0;

  constructor({ worker } = {}) {
    this.#worker = worker ?? new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data: { id, result, error } }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (!waiting) return;
      if (error) waiting.reject(new AsdfError({ ...error.facts, message: error.message }));
      else waiting.resolve(result);
    };
    this.#worker.onerror = event => this.#fail(event.message || "the worker cannot be started");
  }

  #fail(message) {
    for (const { reject } of this.#waiting.values()) reject(new AsdfError({ message }));
    this.#waiting.clear();
  }

  /** Sends a call to the worker. */
  send(call, values) {
    return new Promise((resolve, reject) => {
      this.#waiting.set(++this.#last, { resolve, reject });
      this.#worker.postMessage({ id: this.#last, call, values });
    });
  }

  async openBlob(blob) {
    return new File(this, await this.send("openBlob", { blob }));
  }

  async openUrl(url, { budget } = {}) {
    return new File(this, await this.send("openUrl", { url: new URL(url, globalThis.location?.href).href, budget }));
  }

  colours(name) {
    return this.send("colours", { name });
  }

  /** Ends the worker, also in the midst of a call. All its files are closed, and calls that wait fail. */
  end() {
    this.#worker.terminate();
    this.#fail("the reader was stopped");
  }
}

/** An open file. */
export class File {
  #reader;
  #number;

  constructor(reader, { number, ...facts }) {
    Object.assign(this, facts);
    this.#reader = reader;
    this.#number = number;
  }

  #send(call, ...values) {
    return this.#reader.send(call, { number: this.#number, values });
  }

  node(path, options) { return this.#send("node", path, options); }
  tree(options) { return this.#send("tree", options); }
  readRegion(path, options) { return this.#send("readRegion", path, options); }
  readTable(path, options) { return this.#send("readTable", path, options); }
  picture(path, request) { return this.#send("picture", path, request); }
  search(text) { return this.#send("search", text); }
  sky(x, y) { return this.#send("sky", x, y); }
  traffic() { return this.#send("traffic"); }
  colours(name) { return this.#reader.colours(name); }
  close() { return this.#send("close"); }
}

let shared;

/** Opens a file that a person chose. */
export function openBlob(blob) {
  return (shared ??= new Reader()).openBlob(blob);
}

/** Opens a file on a server, of which only the needed parts are fetched. */
export function openUrl(url, options) {
  return (shared ??= new Reader()).openUrl(url, options);
}
