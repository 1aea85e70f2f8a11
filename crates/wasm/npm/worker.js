// Runs the reader in a worker, because it reads synchronously. Messages: {id, call, arguments}; answers: {id, result} or
// {id, error}.

import { load } from "./core.js";
import { BlobSource, KeptSource, UrlSource } from "./sources.js";

let core;
const files = new Map();
let last = 0;

async function reader() {
  core ??= await load(await (await fetch(new URL("./asdfkit.wasm", import.meta.url))).arrayBuffer());
  return core;
}

async function open(source) {
  const file = (await reader()).open(new KeptSource(source));
  files.set(++last, { file, source });
  const { format, formatVersion, warnings } = file;
  return { number: last, format, formatVersion, warnings, size: source.length, isRemote: source instanceof UrlSource };
}

const calls = {
  openBlob: ({ blob }) => open(new BlobSource(blob)),
  openUrl: ({ url, budget }) => open(new UrlSource(url, { budget })),
  colours: async ({ name }) => (await reader()).colours(name),
  close: ({ number }) => {
    files.get(number)?.file.close();
    files.delete(number);
  },
  traffic: ({ number }) => {
    const { bytesRead = 0, requests = 0 } = files.get(number).source;
    return { bytesRead, requests };
  },
};
for (const name of ["node", "tree", "readRegion", "readTable", "picture", "search", "sky"]) {
  calls[name] = ({ number, values }) => {
    const opened = files.get(number);
    if (!opened) throw new Error("the file is closed");
    return opened.file[name](...values);
  };
}

self.onmessage = async ({ data: { id, call, values } }) => {
  try {
    self.postMessage({ id, result: await calls[call](values) });
  } catch (error) {
    // After a restart of the module no file is open.
    if (error.facts?.restarted) files.clear();
    self.postMessage({ id, error: { message: error.message, facts: error.facts } });
  }
};
