// Where a frame's document lies in this one: transforms, zoom, borders and padding, and what lies over it.
import { attr, drawnParent, hitAt, intersect, isInside, rectOf, tagOf } from './dom.js';
import { mark } from './text.js';

const GRID = [0.1, 0.3, 0.5, 0.7, 0.9];

/** The bounding box of `box` under `matrix` ([a, b, c, d, e, f], as in CSS): [left, top, right, bottom]. */
export function mapped(matrix, { left, top, right, bottom }) {
  const [a, b, c, d, e, f] = matrix;
  const xs = [a * left + c * top, a * right + c * top, a * left + c * bottom, a * right + c * bottom];
  const ys = [b * left + d * top, b * right + d * top, b * left + d * bottom, b * right + d * bottom];
  return [Math.min(...xs) + e, Math.min(...ys) + f, Math.max(...xs) + e, Math.max(...ys) + f];
}

/** Scaling, rotation and skew of an element and of all that it is in; shifts are left out. */
function linearPart(element) {
  let whole = new DOMMatrix();
  for (let e = element; e; e = drawnParent(e)) {
    const style = getComputedStyle(e);
    const own = new DOMMatrix();
    if (style.rotate !== 'none') own.multiplySelf(new DOMMatrix(`rotate(${style.rotate.split(' ').pop()})`));
    if (style.scale !== 'none') own.multiplySelf(new DOMMatrix(`scale(${style.scale.split(' ').slice(0, 2).join(',')})`));
    if (style.transform !== 'none') own.multiplySelf(new DOMMatrix(style.transform));
    whole = own.multiply(whole);
  }
  const zoom = element.currentCSSZoom || 1;
  return [whole.a * zoom, whole.b * zoom, whole.c * zoom, whole.d * zoom];
}

/** `{matrix, clip, covers}`: the way from the frame's coordinates to ours, its visible part and what covers it, in its own. */
export function frameGeometry(e, box, clip, style, known) {
  const [a, b, c, d] = linearPart(e);
  const size = (start, end) => parseFloat(start) + parseFloat(end);
  const across = size(style.borderLeftWidth, style.borderRightWidth) + size(style.paddingLeft, style.paddingRight);
  const down = size(style.borderTopWidth, style.borderBottomWidth) + size(style.paddingTop, style.paddingBottom);
  const width = e.offsetWidth - across;
  const height = e.offsetHeight - down;
  // an affine map keeps centres: that of the frame's box is that of its bounding box
  const x = e.offsetWidth / 2 - size(style.borderLeftWidth, style.paddingLeft);
  const y = e.offsetHeight / 2 - size(style.borderTopWidth, style.paddingTop);
  const matrix = [a, b, c, d, box.left + box.width / 2 - (a * x + c * y), box.top + box.height / 2 - (b * x + d * y)];
  const inverse = new DOMMatrix(matrix).inverse();
  const back = [inverse.a, inverse.b, inverse.c, inverse.d, inverse.e, inverse.f];
  const part = intersect(clip, box.left, box.top, box.right, box.bottom);
  if (part[2] <= part[0] || part[3] <= part[1] || back.some(Number.isNaN)) return null;
  const inside = ([left, top, right, bottom]) => mapped(back, { left, top, right, bottom });
  const holds = (x, y) => {
    const [inX, inY] = inside([x, y, x, y]);
    return inX >= 0 && inY >= 0 && inX < width && inY < height; // of a rotated frame's bounding box, not all is frame
  };
  const covers = coversOf(e, part, holds).map((cover) => {
    const over = rectOf(cover);
    return { box: inside([over.left, over.top, over.right, over.bottom]), name: nameOfCover(cover, known(cover)) };
  });
  const seen = inside(part);
  return { matrix, clip: intersect([0, 0, width, height], ...seen), covers };
}

/** What is painted over a frame, looked for on a grid of points. */
function coversOf(e, [left, top, right, bottom], holds) {
  const found = new Set();
  for (const shareX of GRID) {
    for (const shareY of GRID) {
      const [x, y] = [left + (right - left) * shareX, top + (bottom - top) * shareY];
      const hit = holds(x, y) && hitAt(x, y);
      if (hit && hit !== e && !isInside(e, hit)) found.add(hit);
    }
  }
  return [...found];
}

/** How what lies over a target is called: its number, or its tag and id. */
export const nameOfCover = (cover, id) =>
  id ? mark(id) : tagOf(cover) + (attr(cover, 'id') ? '#' + attr(cover, 'id').replace(/[^\w-]/g, '') : '');
