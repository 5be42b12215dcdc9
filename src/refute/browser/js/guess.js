// A name for a control whose author gave it none: what a reader of the page would take for its label. Always a guess.
import {
  attr,
  closest,
  descendants,
  drawnParent,
  elementsOf,
  find,
  firstElement,
  isShown,
  matches,
  nextNode,
  parentOf,
  previousNode,
  tagOf,
  textOf,
} from './dom.js';
import { squash } from './text.js';
import { NATIVE_SELECTOR } from './targets.js';

const FIELDS = new Set('textbox searchbox spinbutton combobox listbox checkbox radio slider switch'.split(' '));
const NO_FIELD = /^(submit|button|reset|image|hidden)$/;
const AFTER = new Set(['checkbox', 'radio', 'switch']); // their labels follow them
const LONGEST = 60; // characters; longer texts are no labels
const HIGHEST = 3; // ancestors whose other content may be a label
const NEAREST = 10; // nodes that are looked at on a side
const LARGEST = 12; // elements in what may be a label

/** Whether such a name is wanted: buttons and links are told by their icons (states.js, `hintOf`). */
const isField = (element, tag, role) =>
  FIELDS.has(role) || tag === 'select' || tag === 'textarea' || (tag === 'input' && !NO_FIELD.test(element.type));

export function guessedName(element, tag, role) {
  if (!isField(element, tag, role)) return '';
  return (
    said(element.placeholder || attr(element, 'aria-placeholder') || attr(element, 'title')) ||
    (AFTER.has(role) ? beside(element, nextNode) || beside(element, previousNode) : '') ||
    headersOf(element) ||
    (AFTER.has(role) ? '' : beside(element, previousNode)) ||
    said((attr(element, 'name') || attr(element, 'id') || '').replace(/[_\-[\].]+/g, ' '))
  );
}

const said = (text) => {
  const line = squash(text || '').trim();
  return line.length <= LONGEST ? line.replace(/\s*[:*]+$/, '') : '';
};

/** The text next to a control, on the side that `step` goes to, up to the next control. */
function beside(element, step) {
  let e = element;
  for (let height = 0; e && height < HIGHEST && tagOf(e) !== 'form' && tagOf(e) !== 'body'; height++) {
    for (let node = step(e), seen = 0; node && seen < NEAREST; node = step(node), seen++) {
      const isElement = node.nodeType === Node.ELEMENT_NODE;
      if (isElement && (descendants(node, '*').length > LARGEST || isControl(node))) return '';
      const isSeen = isElement ? isShown(node) : node.nodeType === Node.TEXT_NODE;
      if (isSeen && /\S/.test(textOf(node))) return said(textOf(node));
    }
    if (tagOf(e) === 'td' || tagOf(e) === 'li') return '';
    e = drawnParent(e);
  }
  return '';
}

const isControl = (element) =>
  ['script', 'style'].includes(tagOf(element)) || matches(element, NATIVE_SELECTOR) || find(element, NATIVE_SELECTOR) !== null;

/** What heads the row and the column of a table that a control is in. */
function headersOf(element) {
  const cell = closest(element, 'td');
  const row = cell && parentOf(cell);
  const table = cell && closest(cell, 'table');
  if (!table || tagOf(row) !== 'tr') return '';
  const top = find(table, 'tr');
  const above = top && top !== row ? elementsOf(top)[[...elementsOf(row)].indexOf(cell)] : null;
  const first = firstElement(row);
  const left = first !== cell && !isControl(first) ? said(textOf(first)) : '';
  const column = above && tagOf(above) === 'th' ? said(textOf(above)) : '';
  return [left, column].filter(Boolean).join(', ');
}
