// How many targets there are above and below what can be seen.
import { drawnParent, findAll, isShown, order, rectOf } from './dom.js';
import { NATIVE_SELECTOR } from './targets.js';

/** Targets that are not in view, by where they lie; hidden ones do not count. For documents that can be looked at whole. */
export function countExactly(walk, view) {
  const count = { above: 0, below: 0 };
  const roots = [document, ...walk.shadows];
  for (const root of roots) {
    const all = root === document ? findAll(document, NATIVE_SELECTOR) : root.querySelectorAll(NATIVE_SELECTOR);
    for (const e of all) {
      if (walk.visited.has(e)) continue;
      const box = rectOf(e);
      if ((!box.width && !box.height) || !isShown(e, { visibilityProperty: true })) continue;
      const side = sideOf(e, box, view);
      if (side) count[side]++;
    }
  }
  return count;
}

/** 'above' or 'below' the view or, inside of it, the nearest box that scrolls; '' when it is neither. */
function sideOf(e, box, view) {
  if (box.right <= 0 - scrollX && box.left < 0) return ''; // left of the page: nobody gets there
  if (box.bottom <= view[1]) return box.bottom + scrollY > 0 ? 'above' : '';
  if (box.top >= view[3]) return 'below';
  for (let up = drawnParent(e); up; up = drawnParent(up)) {
    if (!/auto|scroll/.test(getComputedStyle(up).overflowY)) continue;
    const port = rectOf(up);
    if (box.bottom <= port.top) return 'above';
    if (box.top >= port.bottom) return 'below';
  }
  return '';
}

/** The same by document order, hidden ones included, at a cost that does not grow with the page. */
export function countByOrder(walk, view) {
  const all = findAll(document, NATIVE_SELECTOR);
  if (!walk.first) {
    const below = all.length && rectOf(all[0]).top > view[3];
    return { above: below ? 0 : all.length, below: below ? all.length : 0 };
  }
  const before = (node, bound, itself) =>
    Boolean(order(node, bound) & Node.DOCUMENT_POSITION_FOLLOWING) || (itself && node === bound);
  const countWhere = (holds) => {
    let low = 0;
    let high = all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(all[middle])) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    above: countWhere((node) => before(node, walk.first, false)),
    below: all.length - countWhere((node) => before(node, walk.last, true)),
  };
}
