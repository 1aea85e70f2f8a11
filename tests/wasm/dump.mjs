// Prints a JSON line for each file: its arrays with type, shape, and hash of the elements. Missing ones are zeros.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const { load } = await import(new URL("core.js", `file://${process.argv[2]}/`));
const { BytesSource, KeptSource } = await import(new URL("sources.js", `file://${process.argv[2]}/`));
const core = await load(readFileSync(`${process.argv[2]}/asdfkit.wasm`));

function* arrays(node) {
  if (node.kind === "array") yield node;
  for (const child of node.children ?? []) yield* arrays(child);
}

function region(file, node) {
  const { datatype, shape, data, mask } = file.readRegion(node.path);
  const out = { datatype, shape, masked: mask !== null };
  if (Array.isArray(data)) return { ...out, texts: data };
  // All NaN are one.
  if (data instanceof Float32Array || data instanceof Float64Array) data.forEach((value, index) => Number.isNaN(value) && (data[index] = NaN));
  const size = data.byteLength / Math.max(1, shape.reduce((all, extent) => all * extent, 1));
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
  mask?.forEach((missing, index) => missing && bytes.fill(0, index * size, (index + 1) * size));
  return { ...out, hash: createHash("sha256").update(bytes).digest("hex") };
}

for (const name of process.argv.slice(3)) {
  const found = { name, arrays: {} };
  try {
    const file = core.open(new KeptSource(new BytesSource(readFileSync(name))));
    found.format = file.format;
    if (file.format === "asdf") {
      for (const node of arrays(file.tree({ depth: 40 }))) {
        try {
          found.arrays[node.path] = region(file, node);
        } catch (error) {
          found.arrays[node.path] = { error: error.message };
        }
      }
    } else {
      const { rows, columns } = file.readTable("", { count: 1e6 });
      found.rows = rows;
      found.columns = columns.map(({ name, unit, datatype, data, missing, cellShape }) =>
        ({ name, unit, datatype, missing, cellShape, values: cellShape ? [] : Array.from(data, value => (typeof value === "bigint" ? String(value) : typeof value === "number" && !Number.isFinite(value) ? String(value) : value)) }));
    }
    file.close();
  } catch (error) {
    found.error = error.message;
    found.restarted = error.facts?.restarted ?? false;
    found.isTyped = error.facts !== undefined;
  }
  console.log(JSON.stringify(found));
}
