import type { Found, Node, Part, Picture, PictureRequest, Region, Rows, RowsRequest, Sky } from "./index.js";

export { AsdfError } from "./index.js";

/** Bytes that are read synchronously. */
export interface Source {
  readonly length: number;
  /** Number of bytes that take as long as a request; smaller gaps are read along. */
  readonly requestCost?: number;
  /** Returns the bytes; fewer only at the end. */
  read(offset: number, length: number): Uint8Array;
}

/** The synchronous reader, for workers and Node. */
export class Core {
  open(source: Source): CoreFile;
  colours(name: string): Uint8Array;
}

export class CoreFile {
  readonly format: "asdf" | "ecsv";
  readonly formatVersion?: string;
  readonly warnings: string[];
  node(path?: string, options?: { start?: number; count?: number }): { node: Node; children: Node[] };
  tree(options?: { path?: string; depth?: number; nodes?: number }): Node;
  readRegion(path: string, part?: Part): Region;
  readTable(path?: string, options?: RowsRequest): Rows;
  picture(path: string, request: PictureRequest): Picture;
  search(text: string): Found;
  sky(x: number, y: number): Sky;
  close(): void;
}

/** Makes a reader of the bytes of `asdfkit.wasm`. */
export function load(wasm: BufferSource): Promise<Core>;
