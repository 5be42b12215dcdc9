// How many targets there are above and below what can be seen.
import { bodyOf, drawnParent, findAll, isShown, order, rectOf, rootElement } from './dom.js';
import { NATIVE_SELECTOR } from './targets.js';

/** Targets that are not in view, by where they lie; hidden ones do not count. For documents that can be looked at whole. */
export function countExactly(walk, view) {
  const count = { above: 0, below: 0 };
  const ports = new Map();
  for (const root of [document, ...walk.shadows]) {
    const all = root === document ? findAll(document, NATIVE_SELECTOR) : root.querySelectorAll(NATIVE_SELECTOR);
    for (const e of all) {
      if (walk.visited.has(e)) continue;
      const box = rectOf(e);
      if ((!box.width && !box.height) || !isShown(e, { visibilityProperty: true })) continue;
      const side = sideOf(box, portOf(drawnParent(e), ports), view);
      if (side) count[side]++;
    }
  }
  return count;
}

/** The box of the nearest scroller around, from `e` on; null for the page's own. `ports` remembers. */
function portOf(e, ports) {
  if (!e || e === rootElement(document) || e === bodyOf(document)) return null;
  let port = ports.get(e);
  if (port === undefined) {
    port = /auto|scroll/.test(getComputedStyle(e).overflowY) ? rectOf(e) : portOf(drawnParent(e), ports);
    ports.set(e, port);
  }
  return port;
}

/** 'above' or 'below' what can be seen of its scroller, or of the page; '' when it is neither. */
function sideOf(box, port, view) {
  if (port && box.bottom <= port.top) return 'above';
  if (port && box.top >= port.bottom) return 'below';
  if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return ''; // left of or above the page: out of reach
  if (box.bottom <= view[1]) return 'above';
  return box.top >= view[3] ? 'below' : '';
}

let known = { version: -1, all: [] };

/**
 * The same by document order, hidden ones included, at a cost that does not grow with the page: the targets are looked
 * up again only when `version`, that of the document, has changed.
 */
export function countByOrder(walk, view, version) {
  if (known.version !== version) known = { version, all: findAll(document, NATIVE_SELECTOR) };
  const { all } = known;
  if (!walk.first) {
    const drawn = [...Array(Math.min(all.length, 50)).keys()].map((i) => rectOf(all[i])).find((box) => box.width || box.height);
    const below = drawn && drawn.top > view[3];
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
