// Ways not to look at everything, so that a page of 30,000 elements costs what one of 100 costs.
//
// They can miss a small overlay that lives in the middle of a long list or inside a far box. `probe` (observe.js) makes
// up for it: nine points of the viewport are hit-tested, and what is painted there but was not visited is walked after.
import { elementCount, elementsOf, nextNode, rectOf } from './dom.js';

const MANY_CHILDREN = 200;
const SAMPLES = 32;
const EDGE_FIRST = 8; // dialogs and menus tend to be appended last, skip links to come first
const EDGE_LAST = 16;

/** Further than one viewport away from the clip. */
export const isFar = (box, clip) =>
  box.bottom < clip[1] - innerHeight ||
  box.top > clip[3] + innerHeight ||
  box.right < clip[0] - innerWidth ||
  box.left > clip[2] + innerWidth;

/** Whether nothing can stick out of an element that is itself out of view. */
export function skipsContents(style) {
  const clips = style.overflowX !== 'visible' && style.overflowY !== 'visible' && style.display !== 'inline';
  return clips || style.contentVisibility === 'auto' || /paint|strict|content/.test(style.contain);
}

/**
 * Of a parent with hundreds of children whose tops rise: the nodes within a viewport of the clip, and those at both
 * edges. null when the parent is small, or when samples show that its children are not in order.
 */
export function nearPart(parent, clip) {
  const count = elementCount(parent);
  if (count <= MANY_CHILDREN) return null;
  const children = elementsOf(parent);
  const boxNear = (index) => {
    for (let i = index; i < Math.min(index + 8, count); i++) {
      const box = rectOf(children[i]);
      if (box.height) return box;
    }
    return null;
  };
  let last = -Infinity;
  for (let i = 0; i < count; i += Math.floor(count / SAMPLES)) {
    const box = boxNear(i);
    if (!box || box.top < last) return null;
    last = box.top;
  }
  const firstWhere = (holds) => {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      const box = boxNear(middle);
      if (!box || holds(box)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const from = Math.max(0, firstWhere((box) => box.bottom > clip[1] - innerHeight) - 1);
  const to = Math.min(count - 1, firstWhere((box) => box.top > clip[3] + innerHeight));
  const nodes = [];
  for (let i = 0; i < Math.min(EDGE_FIRST, from); i++) nodes.push(children[i]);
  for (let node = children[from]; node; node = nextNode(node)) {
    nodes.push(node);
    if (node === children[to]) break;
  }
  for (let i = Math.max(to + 1, count - EDGE_LAST); i < count; i++) nodes.push(children[i]);
  return nodes;
}
