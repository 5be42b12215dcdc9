// What can be acted on, and why we think so.
import {
  attr,
  descendants,
  dispatch,
  firstNode,
  hasAttr,
  hitAt,
  isForm,
  isInside,
  isShown,
  isTiny,
  parentOf,
  rectsOf,
  tagOf,
} from './dom.js';
import { roleOf } from './names.js';
import { isShape, outlineOf } from './shapes.js';

const words = (text) => new Set(text.split(' '));

const WIDGET_ROLES = words(
  'button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar ' +
    'searchbox slider spinbutton switch tab textbox treeitem',
);
const NATIVE_TAGS = words('button select textarea summary input option');

/** A selector for what is a target by its mark-up alone; used where asking for styles would cost too much. */
export const NATIVE_SELECTOR =
  'a[href],area[href],button,input:not([type=hidden]),select,textarea,summary,video[controls],audio[controls],canvas,' +
  '[role=button],[role=link],[role=checkbox],[role=radio],[role=tab],[role=menuitem],[role=option],[role=switch],' +
  '[role=combobox],[role=textbox],[role=slider],[tabindex]:not([tabindex^="-"]),[contenteditable=""],' +
  '[contenteditable=true],[draggable=true],[onclick]';

/** What is followed or pressed as a whole, whatever is inside it. */
export const isLink = (element) => tagOf(element) === 'button' || (tagOf(element) === 'a' && hasAttr(element, 'href'));

/** Whether scripts listen to the element; the answer comes from the main world (page.js), by a cancelled event. */
export const createListenerQuestion = (key) => (element) =>
  !dispatch(element, new Event(key, { cancelable: true, composed: true }));

/**
 * Why the element is a target, or ''. `context` is what its ancestors passed down (walk.js).
 *
 * native, role, focus, edit, listener, drag: by its own mark-up or scripts; canvas, shape: something drawn;
 * pointer, cursor: it looks like one; label: stands in for a control that cannot be seen; scroll: its content moves.
 */
export function reasonOf(element, style, context, scrolls, listens) {
  const tag = tagOf(element);
  if (isForm(element)) return scrolls ? 'scroll' : ''; // its own properties cannot be trusted (dom.js)
  const reason = ownReason(element, tag, context, listens) || looksLike(element, tag, style, context, scrolls);
  if (!reason || reason === 'scroll' || style.pointerEvents !== 'none') return reason;
  return reason === 'native' && element.disabled ? reason : ''; // many style sheets take the pointer from disabled ones
}

function ownReason(element, tag, context, listens) {
  if (tag === 'html' || tag === 'body') return '';
  if (NATIVE_TAGS.has(tag)) return 'native';
  if ((tag === 'a' || tag === 'area') && hasAttr(element, 'href')) return 'native';
  if ((tag === 'video' || tag === 'audio') && element.controls) return 'native';
  if (tag === 'canvas') return 'canvas';
  if (hasAttr(element, 'role') && WIDGET_ROLES.has(roleOf(element))) return 'role';
  if (hasAttr(element, 'tabindex') && element.tabIndex >= 0) return 'focus';
  const parent = parentOf(element);
  if (element.isContentEditable && !(parent && parent.isContentEditable)) return 'edit';
  if (listens(element)) return 'listener';
  if (attr(element, 'draggable') === 'true') return 'drag';
  if (isShape(element) && !context.inTarget && !context.inMark) return 'shape';
  return '';
}

function looksLike(element, tag, style, context, scrolls) {
  if (tag === 'html' || tag === 'body') return scrolls ? 'scroll' : '';
  const control = tag === 'label' ? element.control : null;
  const pointer = style.cursor === 'pointer';
  const besideControl = control && isShown(control) && !isTiny(control);
  if (pointer && !context.pointer && !besideControl) return 'pointer';
  const unseen = { opacityProperty: true, visibilityProperty: true };
  if (control && (isTiny(control) || !isShown(control, unseen))) return 'label';
  if (scrolls) return 'scroll';
  const plain = pointer || ['auto', 'default', 'text'].includes(style.cursor);
  return !plain && !context.cursor && !firstNode(element) ? 'cursor' : '';
}

/** Whether something inside is a target that only scripts or styles give away. */
export function hasHiddenTargets(element, listens) {
  const pointer = getComputedStyle(element).cursor === 'pointer';
  for (const inner of descendants(element, '*')) {
    if (listens(inner) || (!pointer && getComputedStyle(inner).cursor === 'pointer')) return true;
  }
  return false;
}

const SPOTS = [[0.5, 0.5], [0.15, 0.2], [0.85, 0.8], [0.15, 0.8], [0.85, 0.2]];

/**
 * null when some point of the element can be hit, or none of it is in the viewport; otherwise what is in the way: an
 * element (itself: nothing of it is painted), or one of `covers`, which lie over this frame in the document around it.
 */
export function coverOf(element, clip, covers = []) {
  const labels = element.labels ? [...element.labels] : [];
  const reaches = (hit) => isInside(hit, element) || labels.some((label) => isInside(hit, label));
  let cover = null;
  let tried = false;
  const boxes = rectsOf(element);
  for (let i = 0; i < boxes.length && i < 3; i++) {
    const left = Math.max(boxes[i].left, clip[0], 0);
    const top = Math.max(boxes[i].top, clip[1], 0);
    const width = Math.min(boxes[i].right, clip[2], innerWidth) - left;
    const height = Math.min(boxes[i].bottom, clip[3], innerHeight) - top;
    if (width < 0 || height < 0 || (width < 1 && height < 1)) continue;
    tried = true;
    for (const [shareX, shareY] of i ? SPOTS.slice(0, 1) : SPOTS) {
      const [x, y] = [left + width * shareX, top + height * shareY];
      const above = covers.find(({ box }) => x >= box[0] && x < box[2] && y >= box[1] && y < box[3]);
      const hit = above || hitAt(x, y);
      if (hit && !above && reaches(hit)) return null;
      cover = cover || hit;
    }
  }
  if (cover && isShape(element) && outlineOf(element).some(([x, y]) => reaches(hitAt(x, y)))) return null;
  return tried ? cover || element : null;
}
