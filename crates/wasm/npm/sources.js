// Bytes of files: in memory, chosen by a person, or on a server. All of them read synchronously, so they live in a worker.

/** Bytes in memory. */
export class BytesSource {
  requestCost = 0;
  constructor(bytes) {
    this.bytes = bytes;
    this.length = bytes.length;
  }
  read(offset, length) {
    return this.bytes.subarray(offset, offset + length);
  }
}

/** A file that a person chose. */
export class BlobSource {
  requestCost = 65536;
  constructor(blob) {
    this.blob = blob;
    this.length = blob.size;
  }
  read(offset, length) {
    return new Uint8Array(new FileReaderSync().readAsArrayBuffer(this.blob.slice(offset, offset + length)));
  }
}

/** A file on a server that answers requests for ranges. A server that does not gives the whole file, up to `budget` bytes. */
export class UrlSource {
  requestCost = 262144;
  bytesRead = 0;
  requests = 0;

  constructor(url, { budget = 64 << 20 } = {}) {
    this.url = url;
    const { request, bytes } = this.#get(0, 65536);
    const range = /\/(\d+)$/.exec(request.getResponseHeader("Content-Range") ?? "");
    this.tag = request.getResponseHeader("ETag");
    if (request.status === 206 && range) {
      this.length = Number(range[1]);
      this.start = bytes;
    } else if (request.status === 206 && bytes.length < 65536) {
      // Another site need not tell the length; a short answer is the whole file.
      this.length = bytes.length;
      this.start = bytes;
    } else if (request.status === 200 && bytes.length <= budget) {
      this.length = bytes.length;
      this.start = bytes;
    } else {
      throw new Error(request.status === 206
        ? "the server does not tell the length of the file (Access-Control-Expose-Headers: Content-Range)"
        : `the server sends whole files only, and this one is larger than ${budget >> 20} MiB`);
    }
  }

  #get(offset, length) {
    const request = new XMLHttpRequest();
    request.open("GET", this.url, false);
    request.responseType = "arraybuffer";
    request.setRequestHeader("Range", `bytes=${offset}-${offset + length - 1}`);
    try {
      request.send();
    } catch {
      throw new Error("the server cannot be reached, or does not allow this page to read (CORS)");
    }
    if (request.status === 416 && offset === 0) return { request, bytes: new Uint8Array(0) };
    if (request.status !== 206 && request.status !== 200) throw new Error(`the server answered ${request.status} ${request.statusText}`);
    const bytes = new Uint8Array(request.response);
    this.bytesRead += bytes.length;
    this.requests += 1;
    return { request, bytes };
  }

  read(offset, length) {
    if (offset + length <= this.start.length) return this.start.subarray(offset, offset + length);
    const { request, bytes } = this.#get(offset, length);
    if (request.status === 200) throw new Error("the server sends whole files only");
    if (this.tag && request.getResponseHeader("ETag") !== this.tag) throw new Error("the file changed on the server");
    return bytes;
  }
}

/** A source that keeps small pieces: trees and headers are read in many small parts. */
export class KeptSource {
  #kept = new Map();

  constructor(source, { piece = 65536, most = 256 } = {}) {
    this.source = source;
    this.length = source.length;
    this.requestCost = source.requestCost;
    this.piece = piece;
    this.most = most;
  }

  read(offset, length) {
    length = Math.max(0, Math.min(length, this.length - offset));
    // Large parts are elements, which are read once.
    if (length > this.piece / 4) return this.source.read(offset, length);
    const out = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const number = Math.floor((offset + done) / this.piece);
      const bytes = this.#get(number);
      const within = offset + done - number * this.piece;
      const part = bytes.subarray(within, within + length - done);
      if (part.length === 0) return out.subarray(0, done);
      out.set(part, done);
      done += part.length;
    }
    return out;
  }

  #get(number) {
    let bytes = this.#kept.get(number);
    if (bytes) {
      // The last one used stands at the end.
      this.#kept.delete(number);
    } else {
      const start = number * this.piece;
      bytes = this.source.read(start, Math.min(this.piece, this.length - start));
      if (this.#kept.size >= this.most) this.#kept.delete(this.#kept.keys().next().value);
    }
    this.#kept.set(number, bytes);
    return bytes;
  }
}
