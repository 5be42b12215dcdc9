// Which targets something may lie over, told by boxes alone: what a hit test would have to find out.
import { drawnParent, isInside, rectOf, rectsOf } from './dom.js';

const SLACK = 1; // pixels by which neighbours may overlap

/**
 * Of the targets that `walk` believed to be free: those that share room with an element which is neither around nor
 * inside them, those that generated content may be placed over, and those that let the pointer through.
 */
export function overlapped(walk) {
  const boxes = [...walk.visited].map((element) => [element, rectOf(element)]);
  const blocks = [...walk.visited].flatMap(blocksOfContent);
  const found = new Set();
  for (const [target, [left, top, right, bottom]] of walk.believed) {
    const clear = (box) =>
      box.right <= left + SLACK || box.left >= right - SLACK || box.bottom <= top + SLACK || box.top >= bottom - SLACK;
    const parts = [...rectsOf(target)];
    const meets = (box) => !clear(box) && parts.some((part) => sharesRoom(part, box));
    const under = boxes.some(([other, box]) => meets(box) && !isInside(target, other) && !isInside(other, target));
    const veiled = blocks.some((block) => !block || isInside(target, block));
    if (under || veiled || getComputedStyle(target).pointerEvents === 'none') found.add(target);
  }
  return found;
}

const sharesRoom = (a, b) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > SLACK &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > SLACK;

/** The elements in which generated content of `element` may lie anywhere; null = the page. */
const blocksOfContent = (element) =>
  ['::before', '::after'].flatMap((part) => {
    const style = getComputedStyle(element, part);
    if (['none', 'normal'].includes(style.content)) return [];
    return { absolute: [blockAround(element)], fixed: [null] }[style.position] || [];
  });

/** The nearest positioned element from `element` on, inside which such content is placed; null = the page. */
function blockAround(element) {
  for (let e = element; e; e = drawnParent(e)) if (getComputedStyle(e).position !== 'static') return e;
  return null;
}
