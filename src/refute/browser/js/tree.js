// The papers' form: a flattened accessibility tree, one node a line, `[id] role 'name' states`, indented by tabs.
import { cut, mark, quoteInTree, squash } from './text.js';

/** A writer with the methods of compact.js. */
export class Tree {
  constructor() {
    this.done = [];
    this.buffer = '';
    this.depth = 0;
  }

  get count() {
    return this.done.length;
  }

  line(depth, text) {
    this.done.push('\t'.repeat(depth) + text);
  }

  /** End the current text; the next one belongs at `depth`. */
  flush(depth) {
    const text = squash(this.buffer).trim();
    if (text && text !== this.said) this.line(this.depth, 'StaticText ' + quoteInTree(text));
    this.said = undefined; // the name of the node just opened: its own text does not repeat it
    this.buffer = '';
    this.depth = depth;
  }

  open(depth, text, name = '') {
    this.flush(depth);
    this.line(depth, text + (name && ' ' + quoteInTree(cut(name, 200))));
    this.flush(depth + 1);
    this.said = squash(name).trim() || undefined;
    return depth + 1;
  }

  root(title) {
    return this.open(0, 'RootWebArea', title);
  }

  /** More of the document can be scrolled into view. */
  isPart() {
    this.done[0] += ', clipped=true';
  }

  // ---- text

  text(text) {
    this.buffer += text;
  }

  gap() {
    this.buffer += ' ';
  }

  edge(depth) {
    if (this.buffer.trim()) this.flush(depth);
  }

  end(depth) {
    this.flush(depth);
  }

  // ---- structure

  heading(depth, level, name) {
    const inner = this.open(depth, 'heading', name);
    this.done[this.count - 1] += `, level=${level}`;
    return inner;
  }

  item(depth) {
    return this.open(depth, 'listitem');
  }

  row(depth) {
    return this.open(depth, 'row');
  }

  cell(depth, role) {
    return this.open(depth, role);
  }

  /** A cell that holds nothing but text is named by it. */
  endCell(depth, count) {
    this.flush(depth);
    if (this.count === count) return;
    const only = /^\t*StaticText (.*)$/.exec(this.done[count]);
    if (only && this.count === count + 1) this.done.splice(count - 1, 2, this.done[count - 1] + ' ' + only[1]);
  }

  region(depth, role, name) {
    return this.open(depth, role, name);
  }

  endRegion(depth, count) {
    this.flush(depth);
    if (this.count === count) this.done.pop();
  }

  image(name) {
    this.alone('image ' + quoteInTree(cut(name, 100)));
  }

  gauge(role, value) {
    this.alone(`${role} value=${quoteInTree(String(value))}`);
  }

  /** A line of its own that interrupts the text. */
  alone(text) {
    this.flush(this.depth);
    this.line(this.depth, text);
  }

  frame(depth, id, name) {
    return this.open(depth, `${mark(id)} Iframe`, name);
  }

  // ---- targets

  target(depth, target, { leaf }) {
    this.flush(depth);
    this.line(depth, lineOf(target));
    const { choices } = target.facts;
    if (choices) {
      for (const { label, selected, disabled } of choices.shown) {
        this.line(depth + 1, `option ${quoteInTree(label)}, selected=${selected}` + (disabled ? ', disabled=true' : ''));
      }
      if (choices.total > choices.shown.length) this.line(depth + 1, `StaticText '… ${choices.total} options in all'`);
    }
    this.flush(leaf ? depth : depth + 1);
    return depth + 1;
  }

  endTarget(depth) {
    this.flush(depth);
  }
}

const TRUTHS = { 'guessed name': 'guessed=true', unchecked: 'checked=false', unpressed: 'pressed=false', collapsed: 'expanded=false' };
const BARE = new Set(['required', 'focused', 'editable']);

function lineOf({ id, role, name, hint, facts, to, color, box, scrolls, cover }) {
  let line = `${mark(id)} ${role} ${quoteInTree(cut(name || hint, 200))}`;
  const attributes = [];
  if (facts.choices && facts.value !== null) line += ` value=${quoteInTree(facts.value)}`;
  for (const [key, value] of facts.notes) {
    if (key === 'value') line += ` value=${quoteInTree(value)}`;
    else if (value !== undefined) attributes.push(`${key}=${quoteInTree(value)}`);
    else if (BARE.has(key) || key.includes('=')) attributes.push(key);
    else if (key === 'mixed') attributes.push(role === 'button' ? 'pressed=mixed' : 'checked=mixed');
    else attributes.push(TRUTHS[key] || `${key}=true`);
  }
  const further = { url: to, color, box, scrolls, covered: cover };
  for (const [key, value] of Object.entries(further)) if (value) attributes.push(`${key}=${quoteNumbered(value)}`);
  return [line, ...attributes].join(', ');
}

/** Quoted, with the mark of an element's number kept. */
const quoteNumbered = (text) => (/^\ue000\[\d+\]$/.test(text) ? `'${text}'` : quoteInTree(text));
