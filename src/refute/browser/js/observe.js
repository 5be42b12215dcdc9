// One observation of this frame: the text of what is in view, the targets in it, and the frames to go on with.
import {
  bodyOf,
  descendants,
  drawnParent,
  elementAt,
  findAll,
  meets,
  order,
  rectOf,
  rootElement,
  tagOf,
  titleOf,
} from './dom.js';
import { Lines } from './lines.js';
import { beginNames, endNames } from './names.js';
import { NATIVE_SELECTOR } from './targets.js';
import { Walk } from './walk.js';

const EXACT_BELOW = 3000; // elements; smaller documents are walked without shortcuts

/**
 * `next`: the least number not yet taken. `clip`: the visible part of this frame, in its own coordinates.
 * `offset`: where this frame's corner lies in the page's viewport. `exact`: take no shortcuts.
 */
export function observe({ next = 1, clip, offset = [0, 0], exact }, { registry, listens, onShadow }) {
  registry.startAt(next);
  const view = clip || [0, 0, innerWidth, innerHeight];
  const root = bodyOf(document) || rootElement(document);
  const scroller = document.scrollingElement || rootElement(document);
  const big = !exact && root && descendants(root, '*').length > EXACT_BELOW;
  const shortcuts = { prune: big, seek: big };
  const lines = new Lines();
  const walk = new Walk({ lines, registry, listens, clip: view, shortcuts, offset, onShadow });
  beginNames();
  try {
    if (root) walk.start(root);
    if (walk.cutCorners) probe(walk, view);
  } finally {
    endNames();
  }
  return {
    title: titleOf(document),
    lines: lines.done,
    elements: walk.elements,
    frames: walk.frames,
    next: registry.next(),
    ...countAround(walk, view),
    scroll: scroller ? [Math.round(scroller.scrollTop), Math.max(0, scroller.scrollHeight - innerHeight)] : [0, 0],
  };
}

/** Walk what is painted at nine points and was passed over by a shortcut. */
function probe(walk, view) {
  for (let point = 0; point < 9; point++) {
    const x = view[0] + ((view[2] - view[0]) * ((point % 3) + 0.5)) / 3;
    const y = view[1] + ((view[3] - view[1]) * (Math.floor(point / 3) + 0.5)) / 3;
    let top = null;
    let e = elementAt(document, x, y);
    for (; e && !walk.visited.has(e); e = drawnParent(e)) if (meets(rectOf(e), view)) top = e;
    if (top && e && !walk.leaves.has(e) && tagOf(e) !== 'svg') walk.start(top);
  }
}

/** Targets before the first and after the last listed one, in document order (hidden ones included). */
function countAround(walk, view) {
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
