/** A page of texts; one longer than this gets a page of its own. */
const pageSize = 1 << 20;

/** Texts of many rows by their numbers, as UTF-8 in a few large pages: as many texts of the language would make its memory work hard. */
export class RowTexts {
  readonly #pages: Uint8Array[] = [];
  readonly #page: Uint16Array;
  readonly #start: Uint32Array;
  readonly #length: Uint32Array;
  readonly #encoder = new TextEncoder();
  #used = 0;

  constructor(rows: number) {
    this.#page = new Uint16Array(rows);
    this.#start = new Uint32Array(rows);
    this.#length = new Uint32Array(rows);
  }

  put(row: number, text: string): void {
    // three bytes are the most one unit of text takes
    const most = text.length * 3;
    if (this.#pages.length === 0 || this.#used + most > pageSize) {
      this.#pages.push(new Uint8Array(Math.max(pageSize, most)));
      this.#used = 0;
    }
    const page = this.#pages.length - 1;
    const { written } = this.#encoder.encodeInto(text, (this.#pages[page] as Uint8Array).subarray(this.#used));
    this.#page[row] = page;
    this.#start[row] = this.#used;
    this.#length[row] = written;
    this.#used += written;
  }

  /** The text of a row, nothing where none was put. */
  at(row: number): Uint8Array {
    const start = this.#start[row] ?? 0;
    return this.#pages[this.#page[row] ?? 0]?.subarray(start, start + (this.#length[row] ?? 0)) ?? new Uint8Array();
  }
}
