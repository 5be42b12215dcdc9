// The compact text: one line per piece of the page, what belongs to a sentence or a table row on one line.
import { cut, mark, quote } from './text.js';

/** A writer; tree.js has the same methods. Those that open something return the depth of what is inside it. */
export class Compact {
  constructor() {
    this.done = [];
    this.buffer = '';
    this.prefix = '';
    this.depth = 0;
  }

  get count() {
    return this.done.length;
  }

  line(depth, text) {
    this.done.push(' '.repeat(Math.min(depth, 8)) + text);
  }

  /** End the current line; the next one starts at `depth`, with `prefix` if it gets any text. */
  flush(depth, prefix = '') {
    const text = this.buffer.trim().replace(/ {2,}/g, ' ');
    if (text && !/^[\s|]*$/.test(text)) this.line(this.depth, this.prefix + text); // a row without cells in view is none
    this.buffer = '';
    this.prefix = prefix;
    this.depth = depth;
  }

  root() {
    return 0;
  }

  isPart() {}

  // ---- text

  text(text) {
    this.buffer += text;
  }

  /** At least one space before what follows. */
  gap() {
    if (this.buffer && !this.buffer.endsWith(' ')) this.buffer += ' ';
  }

  /** The edge of a block, or the end of whatever was opened at `depth`. */
  edge(depth) {
    if (this.buffer.trim()) this.flush(depth);
  }

  end(depth) {
    this.flush(depth);
  }

  // ---- structure

  heading(depth, level) {
    this.flush(depth, '#'.repeat(level) + ' ');
    return depth;
  }

  item(depth) {
    this.flush(depth, '- ');
    return depth;
  }

  row(depth) {
    this.flush(depth, '| ');
    return depth;
  }

  cell(depth, role, first) {
    if (!first) this.buffer += ' | ';
    return depth;
  }

  endCell() {}

  region(depth, role, name) {
    this.flush(depth);
    this.line(depth, role + (name ? ' ' + quote(cut(name, 80)) : '') + ':');
    this.flush(depth + 1);
    return depth + 1;
  }

  /** `count` is what there was just after the region was opened: a region with nothing in view goes. */
  endRegion(depth, count) {
    this.flush(depth);
    if (this.count === count) this.done.pop();
  }

  image(name) {
    this.buffer += ` (img ${quote(cut(name, 100))}) `;
  }

  gauge(role, value) {
    this.buffer += ` (${role} ${value}) `;
  }

  frame(depth, id, name) {
    this.flush(depth);
    this.line(depth, `${mark(id)} iframe` + (name ? ' ' + quote(cut(name, 80)) : '') + ':');
    this.flush(depth);
    return depth + 1;
  }

  // ---- targets

  /** `inline`: part of a sentence; `leaf`: nothing else belongs to it. */
  target(depth, target, { inline, leaf }) {
    const line = lineOf(target);
    if (leaf && (inline || (this.prefix && !this.buffer))) {
      this.gap();
      this.buffer += line + ' ';
      return depth;
    }
    this.flush(depth);
    this.line(depth, line + (leaf ? '' : ':'));
    this.flush(depth + 1);
    return depth + 1;
  }

  /** As `endRegion`; what turned out to hold nothing loses its colon. */
  endTarget(depth, count) {
    this.flush(depth);
    if (this.count === count) this.done[count - 1] = this.done[count - 1].replace(/:$/, '');
  }
}

/** `[12] word "name" (notes) -> where a link leads`, and what else there is to tell a nameless one by. */
function lineOf({ id, role, name, hint, facts, to, color, box, scrolls, cover }) {
  const notes = facts.notes.map(([key, value]) => (value === undefined ? key : `${key}=${quote(value)}`));
  if (facts.choices) notes.splice(facts.choices.at, 0, 'options: ' + choicesOf(facts.choices));
  return (
    `${mark(id)} ${role}` +
    (name ? ' ' + quote(cut(name, 200)) : hint && ` {${hint}}`) +
    (notes.length ? ` (${notes.join(', ')})` : '') +
    (to && ` -> ${to}`) +
    (color && ` ${color}`) +
    (box && ` @${box}`) +
    (scrolls && ` (scrolls: ${scrolls})`) +
    (cover && (cover === 'nothing' ? ' (not hit)' : ` (covered by ${cover})`))
  );
}

function choicesOf({ shown, total }) {
  const texts = shown.map((o) => (o.selected ? '*' : '') + o.label + (o.disabled ? ' (disabled)' : ''));
  return cut(texts.join(' | '), 400) + (total > shown.length ? ` … ${total} in all` : '');
}
