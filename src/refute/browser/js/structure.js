// What is no target: headings, lists, tables, regions, pictures and text, in the words of the writer.
import { attr, drawnNodes, firstElement, hasAttr, isSvg, tagOf } from './dom.js';
import { isIcon } from './shapes.js';
import { levelOf, nameOf, roleOf } from './names.js';

const words = (text) => new Set(text.split(' '));
const STRUCTURE = words(
  'img svg h1 h2 h3 h4 h5 h6 tr li ul ol table nav main header footer aside form section dialog fieldset article figure ' +
    'progress meter details search menu output',
);
const REGIONS = words(
  'banner complementary contentinfo form main navigation region search dialog alertdialog alert menu menubar tablist ' +
    'toolbar tree grid listbox radiogroup group tabpanel status log table list article figure',
);
const ONLY_IF_NAMED = words('form region list group table article figure');

/** Write `it`, an element in view that cannot be acted on, and what is in it. */
export function structure(walk, it, context) {
  const { e, tag, depth, pass } = it;
  const role = hasAttr(e, 'role') || STRUCTURE.has(tag) ? roleOf(e) : '';
  if (tag === 'img' || (role === 'img' && (tag === 'svg' || !firstElement(e)))) picture(walk, it);
  else if (isSvg(e) && tag === 'title') return;
  else if (role === 'progressbar' || role === 'meter') {
    if (!context.quiet) walk.writer.gauge(role, e.value ?? attr(e, 'aria-valuenow'));
  } else if (context.quiet) walk.inside(e, it.clip, depth, pass);
  else if (role === 'heading') {
    opened(walk, it, walk.writer.heading(depth, levelOf(e) || 2, nameOf(e)));
  } else if (role === 'row') row(walk, it);
  else if (role === 'listitem' && !context.row) opened(walk, it, walk.writer.item(depth));
  else if (!(REGIONS.has(role) && tag !== 'details' && !context.row && region(walk, it, role))) plain(walk, it, context);
}

function opened(walk, it, inner) {
  walk.inside(it.e, it.clip, inner, it.pass);
  walk.writer.end(it.depth);
}

/** A picture, by its name. A drawing may hold targets; its shapes are listed unless it has a name or is an icon. */
function picture(walk, { e, tag, box, clip, depth, pass }) {
  const name = !pass.quiet && box.width > 2 && box.height > 2 ? nameOf(e) : '';
  if (name) walk.writer.image(name);
  const whole = Boolean(name) || isIcon(box);
  if (tag === 'svg') walk.inside(e, clip, depth, { ...pass, inMark: pass.inMark || whole, quiet: pass.quiet || Boolean(name) });
}

/** A region with a line of its own; false when it is not worth one. */
function region(walk, { e, clip, depth, pass }, role) {
  const unnamed =
    role === 'list' || role === 'article' || (role === 'table' && !hasAttr(e, 'aria-label') && !e.caption);
  const name = unnamed ? '' : nameOf(e);
  if (!name && ONLY_IF_NAMED.has(role)) return false;
  const inner = walk.writer.region(depth, role, name);
  const count = walk.writer.count;
  walk.inside(e, clip, inner, pass);
  walk.writer.endRegion(depth, count);
  return true;
}

function plain(walk, { e, tag, style, inline, clip, depth, pass }, context) {
  const { writer } = walk;
  const flows = style.display === 'inline' || style.display === 'contents';
  if (inline || context.row) {
    if (!flows) writer.gap();
    walk.inside(e, clip, depth, pass);
    if (!flows) writer.gap();
  } else if (tag === 'td' || tag === 'th') {
    walk.inside(e, clip, depth, pass);
  } else {
    writer.edge(depth);
    walk.inside(e, clip, depth, pass);
    writer.edge(depth);
  }
}

/** A `th` without a scope heads its column. */
const cellRole = (cell) => {
  const role = roleOf(cell);
  return tagOf(cell) === 'th' && role !== 'rowheader' && !hasAttr(cell, 'role') ? 'columnheader' : role || 'cell';
};

function row(walk, { e, clip, depth, pass }) {
  const { writer } = walk;
  const inner = writer.row(depth);
  let first = true;
  for (const cell of drawnNodes(e)) {
    if (cell.nodeType !== Node.ELEMENT_NODE) continue;
    const within = writer.cell(inner, cellRole(cell), first);
    const count = writer.count;
    walk.element(cell, clip, within, { ...pass, row: true });
    writer.endCell(inner, count);
    first = false;
  }
  writer.end(depth);
}
