// How a target is written: its word, its name, and the line that says what is known of it.
import { attr, descendants, find, findIn, hasAttr, isForm, isSvg, shadowOf, tagOf, textOf } from './dom.js';
import { nameOf } from './names.js';
import { colorOf, destinationOf, hintOf } from './states.js';
import { hasHiddenTargets, isShape, NATIVE_SELECTOR } from './targets.js';
import { cut, quote, squash } from './text.js';

const NAMED_BY_CONTENT = new Set([
  'button', 'checkbox', 'link', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'radio', 'switch', 'tab',
  'treeitem', 'heading',
]);

/** Whether the accessible name says all there is to say of what is inside. */
export const isNamedItself = (tag, role, reason) =>
  reason === 'native' || NAMED_BY_CONTENT.has(role) || tag === 'canvas' || (reason === 'shape' && tag !== 'text');

/** Whether any other target can be shown as one piece: little in it, and nothing in it to act on. */
export function isOnePiece(e, tag, reason, listens) {
  if (isForm(e) || shadowOf(e) || tag === 'slot') return false;
  if (reason === 'label' && findIn(e, NATIVE_SELECTOR).every((inner) => inner === e.control)) return true;
  if (textOf(e).length >= 120 || descendants(e, '*').length >= 12) return false;
  return !find(e, NATIVE_SELECTOR) && !hasHiddenTargets(e, listens);
}

export function targetName(e, role, reason, self, leaf) {
  if (reason === 'shape') return squash(textOf(e)).trim();
  if (self) return nameOf(e);
  if (leaf && !isForm(e)) {
    const content = e.isContentEditable ? '' : isSvg(e) ? textOf(e) : e.innerText;
    return squash(attr(e, 'aria-label') || content || attr(e, 'title') || '').trim();
  }
  const named = hasAttr(e, 'aria-label') || hasAttr(e, 'title') || (role && !NAMED_BY_CONTENT.has(role));
  return named ? nameOf(e) : '';
}

/** The word that stands for a target's role. */
export function wordFor(e, tag, role, reason) {
  if (tag === 'summary') return 'summary';
  if (role) return role;
  if (tag === 'input') return e.type === 'password' ? 'textbox' : e.type;
  if (isShape(e)) return tag;
  return { scroll: 'scroller', canvas: 'canvas', drag: 'draggable', edit: 'textbox' }[reason] || 'clickable';
}

/** `[12] word "name" (states) -> where a link leads`, and what else there is to tell a nameless one by. */
export function targetLine({ e, tag, box, scrolls }, { id, label, name, facts, reason, leaf, cover, place, known }) {
  const notes = facts.notes.length ? ' (' + facts.notes.join(', ') + ')' : '';
  const hint = !name && (leaf || reason === 'native') ? hintOf(e) : '';
  let line = `[${id}] ${label}` + (name ? ' ' + quote(cut(name, 200)) : hint) + notes;
  const destination = tag === 'a' ? destinationOf(e) : '';
  if (destination) line += ' -> ' + cut(destination, 60);
  const color = reason === 'shape' || (!name && leaf && reason !== 'native') ? colorOf(e) : '';
  if (color) line += ' ' + color;
  if (isShape(e) || tag === 'canvas' || reason === 'cursor') {
    line += ` @${place[0]},${place[1]} ${Math.round(box.width)}x${Math.round(box.height)}`;
  }
  return line + scrolls + (cover ? coverNote(e, cover, known(cover)) : '');
}

function coverNote(e, cover, id) {
  if (cover === e) return ' (not hit)';
  const name = id ? `[${id}]` : tagOf(cover) + (attr(cover, 'id') ? '#' + attr(cover, 'id') : '');
  return ` (covered by ${name})`;
}
