// The page's text under construction: finished lines, and the one that is being filled.

export class Lines {
  constructor() {
    this.done = [];
    this.buffer = '';
    this.prefix = '';
    this.depth = 0;
  }

  /** A line of its own. */
  line(depth, text) {
    this.done.push(' '.repeat(Math.min(depth, 8)) + text);
  }

  /** Continue the current line. */
  add(text) {
    this.buffer += text;
  }

  /** At least one space before what follows. */
  gap() {
    if (this.buffer && !this.buffer.endsWith(' ')) this.buffer += ' ';
  }

  get isBlank() {
    return !this.buffer.trim();
  }

  /** End the current line; the next one starts at `depth`, with `prefix` if it gets any text. */
  flush(depth, prefix = '') {
    const text = this.buffer.trim().replace(/ {2,}/g, ' ');
    if (text) this.line(this.depth, this.prefix + text);
    this.buffer = '';
    this.prefix = prefix;
    this.depth = depth;
  }

  get count() {
    return this.done.length;
  }

  dropLast() {
    this.done.pop();
  }

  amendLast(change) {
    this.done[this.done.length - 1] = change(this.done[this.done.length - 1]);
  }
}
