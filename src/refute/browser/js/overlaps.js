// Which targets something may lie over, told by boxes alone: what a hit test would have to find out.
import { drawnParent, isInside, rectOf, rectsOf } from './dom.js';

const SLACK = 1; // pixels by which neighbours may overlap

/**
 * Of the targets that `walk` believed to be free: those that share room with an element which is neither around nor
 * inside them, those under generated content of an element around them, and those that let the pointer through.
 */
export function overlapped(walk) {
  const boxes = [...walk.visited].map((element) => [element, rectOf(element)]);
  const veils = new Map();
  const found = new Set();
  for (const [target, [left, top, right, bottom]] of walk.believed) {
    const clear = (box) =>
      box.right <= left + SLACK || box.left >= right - SLACK || box.bottom <= top + SLACK || box.top >= bottom - SLACK;
    const parts = [...rectsOf(target)];
    const meets = (box) => !clear(box) && parts.some((part) => sharesRoom(part, box));
    const under = boxes.some(([other, box]) => meets(box) && !isInside(target, other) && !isInside(other, target));
    if (under || isVeiled(target, veils) || getComputedStyle(target).pointerEvents === 'none') found.add(target);
  }
  return found;
}

const sharesRoom = (a, b) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > SLACK &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > SLACK;

/** Whether generated content is laid over `element`, or over something around it. `veils` remembers. */
function isVeiled(element, veils) {
  if (!element) return false;
  let veiled = veils.get(element);
  if (veiled === undefined) {
    veiled = ['::before', '::after'].some((part) => isLaidOver(element, part)) || isVeiled(drawnParent(element), veils);
    veils.set(element, veiled);
  }
  return veiled;
}

function isLaidOver(element, part) {
  const style = getComputedStyle(element, part);
  return !['none', 'normal'].includes(style.content) && ['absolute', 'fixed'].includes(style.position);
}
