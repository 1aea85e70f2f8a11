/** Place of a failure in the file, where it is known. */
export interface Failure {
  message: string;
  status?: number;
  offset?: number | null;
  line?: number | null;
  column?: number | null;
  path?: string | null;
  /** True if the reader was started anew: all files are closed. */
  restarted?: boolean;
}

export class AsdfError extends Error {
  facts: Failure;
}

/** A node of a tree. */
export interface Node {
  /** JSON Pointer from the root. */
  path: string;
  key?: string;
  kind: string;
  tag?: string;
  unit?: string;
  /** Scalars: the value as text. */
  value?: string;
  /** Mappings and sequences: number of children. */
  count?: number;
  /** Arrays. */
  datatype?: string;
  shape?: number[];
  masked?: boolean;
  fields?: string[];
  storage?: string;
  compression?: string;
  /** Why the node cannot be read as its tag says. */
  error?: string;
  /** Only in answers of `tree`. */
  children?: Node[];
}

/** Elements in C order. Complex numbers are pairs; truth values are 0 and 1; texts are strings. */
export type Elements =
  | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array
  | BigInt64Array | BigUint64Array | Float32Array | Float64Array | string[];

/** Nodes that a search found, in the order of the file. */
export interface Found {
  nodes: Node[];
  /** False if the search ended early, because it found many nodes or the tree is very large. */
  isComplete: boolean;
}

export interface Part {
  /** First index in each dimension; 0 if absent. */
  start?: number[];
  /** Number of elements in each dimension; all if absent. */
  count?: number[];
  step?: number[];
  /** Field of an array of records. */
  field?: string;
}

export interface Region {
  datatype: string;
  shape: number[];
  data: Elements;
  /** 1 for each missing element; null without a mask. */
  mask: Uint8Array | null;
}

export interface Column {
  name: string;
  unit: string | null;
  description: string | null;
  datatype: string;
  data: Elements;
  /** Rows without a value, counted from the first row that was read. */
  missing: number[];
  /** Elements without a value, for cells that hold arrays. */
  missingElements: number[];
  /** Shape of a cell; absent for one element in each cell. */
  cellShape?: number[];
  /** Number of elements in each cell, if it differs; `cellShape` then lacks the last extent. */
  lengths?: number[];
}

export interface RowsRequest {
  start?: number;
  count?: number;
  columns?: string[];
  /** Column that orders the rows; missing cells are last. The whole table is read, into at most 512 MiB of memory. */
  sort?: string;
  descending?: boolean;
}

export interface Rows {
  /** Number of rows of the table; null for a large table in text until its end was reached. */
  rows: number | null;
  start: number;
  count: number;
  columns: Column[];
  warnings: string[];
  /** Numbers of sorted rows in the file. */
  rowNumbers?: number[];
}

export interface PictureRequest {
  /** First index, number and step of pixels; dimensions before the last two have the count 1. */
  start: number[];
  count: number[];
  step: number[];
  field?: string;
  /** viridis, grey, inferno, magma, plasma, cubehelix or red-blue. */
  colours?: string;
  stretch?: "linear" | "sqrt" | "log" | "asinh";
  /** Values of the first and the last colour, or an interval from which they follow: zscale, minmax, 99.5%. */
  low?: number;
  high?: number;
  interval?: string;
}

export interface Picture {
  width: number;
  height: number;
  low: number;
  high: number;
  masked: number;
  undefined: number;
  /** Red, green, blue and opacity of each pixel; the first row of the array is the first one. */
  pixels: Uint8ClampedArray;
}

export interface Sky {
  /** Degrees; absent if the file has no WCS. */
  longitude?: number;
  latitude?: number;
  frame?: string | null;
  arrayShape?: number[] | null;
}

export class File {
  readonly format: "asdf" | "ecsv";
  readonly formatVersion?: string;
  readonly warnings: string[];
  readonly size: number;
  /** True if the bytes come from a server. */
  readonly isRemote: boolean;
  /** A node, and its children from `start` on. */
  node(path?: string, options?: { start?: number; count?: number }): Promise<{ node: Node; children: Node[] }>;
  /** The tree down to a depth, with a limited number of nodes. */
  tree(options?: { path?: string; depth?: number; nodes?: number }): Promise<Node>;
  readRegion(path: string, part?: Part): Promise<Region>;
  /** Rows of a table. A table in text has the path "". */
  readTable(path?: string, options?: RowsRequest): Promise<Rows>;
  picture(path: string, request: PictureRequest): Promise<Picture>;
  /** Nodes whose key, value or tag holds a text, in any case of its letters. */
  search(text: string): Promise<Found>;
  /** Coordinates on the sky of a pixel, by the first WCS of the file. */
  sky(x: number, y: number): Promise<Sky>;
  /** Bytes and requests so far. */
  traffic(): Promise<{ bytesRead: number; requests: number }>;
  /** Red, green and blue of the 256 colours of a map. */
  colours(name: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

export class Reader {
  constructor(options?: { worker?: Worker });
  openBlob(blob: Blob): Promise<File>;
  openUrl(url: string | URL, options?: { budget?: number }): Promise<File>;
  /** Red, green and blue of the 256 colours of a map. */
  colours(name: string): Promise<Uint8Array>;
  /** Ends the worker, also in the midst of a call. */
  end(): void;
}

export function openBlob(blob: Blob): Promise<File>;
export function openUrl(url: string | URL, options?: { budget?: number }): Promise<File>;
