// What a target is called: its word, its name, and what else there is to tell it by.
import { hostName } from './closed.js';
import { attr, descendants, find, findIn, hasAttr, isForm, isSvg, shadowOf, textOf } from './dom.js';
import { nameOf } from './names.js';
import { colorOf, destinationOf, hintOf } from './states.js';
import { isDrawing, isShape } from './shapes.js';
import { hasHiddenTargets, NATIVE_SELECTOR } from './targets.js';
import { cut, squash } from './text.js';

const NAMED_BY_CONTENT = new Set([
  'button', 'checkbox', 'link', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'radio', 'switch', 'tab',
  'treeitem', 'heading',
]);

/** Whether the accessible name says all there is to say of what is inside. */
export const isNamedItself = (tag, role, reason) =>
  reason === 'native' || reason === 'closed' || NAMED_BY_CONTENT.has(role) || tag === 'canvas' || (reason === 'shape' && tag !== 'text');

/** Whether any other target can be shown as one piece: little in it, and nothing in it to act on. */
export function isOnePiece(e, tag, reason, listens, box) {
  if (isForm(e) || shadowOf(e) || tag === 'slot') return false;
  if (reason === 'label' && findIn(e, NATIVE_SELECTOR).every((inner) => inner === e.control)) return true;
  if (textOf(e).length >= 120 || descendants(e, '*').length >= 12) return false;
  if (listensAsOne(reason, tag) && isDrawing(e, box)) return false;
  return !find(e, NATIVE_SELECTOR) && !hasHiddenTargets(e, listens);
}

/** What may hold a drawing whose parts are meant: scripts listen to it as a whole, or it is the drawing. */
const listensAsOne = (reason, tag) => tag === 'svg' || ['listener', 'focus', 'drag'].includes(reason);

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
  return { scroll: 'scroller', canvas: 'canvas', drag: 'draggable', edit: 'textbox', closed: 'unreadable' }[reason] || 'clickable';
}

/** What there is to write of a target besides name and states; '' for what does not apply. */
export function furtherOf({ e, tag, box, scrolls }, { name, reason, leaf, place }) {
  const nameless = !name && (leaf || reason === 'native');
  const colored = isShape(e) || (!name && leaf && reason !== 'native');
  const placed = isShape(e) || tag === 'canvas' || reason === 'cursor';
  return {
    hint: reason === 'closed' ? hostName(e) : nameless ? hintOf(e) : '',
    to: tag === 'a' || tag === 'area' ? cut(destinationOf(e), 60) : '',
    color: colored ? colorOf(e) : '',
    box: placed ? `${place[0]},${place[1]} ${Math.round(box.width)}x${Math.round(box.height)}` : '',
    scrolls,
  };
}
