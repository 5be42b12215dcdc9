// Drawings, and the shapes that are drawn in them.
import { findIn, hitAt, isInside, isSvg, rectOf, tagOf } from './dom.js';

const SHAPES = 'circle rect polygon polyline path ellipse line image text'.split(' ');
const ICON = 24; // pixels; the shapes of a drawing that is no larger say nothing
const WRAPPED = 48; // the same inside something that is itself a target, where icons are larger

export const isShape = (element) => isSvg(element) && SHAPES.includes(tagOf(element));
export const isIcon = (box, most = ICON) => box.width <= most && box.height <= most;

/** Whether a target is, or holds, a drawing whose shapes are worth numbers of their own. */
export const isDrawing = (element, box) =>
  tagOf(element) === 'svg' ? !isIcon(box) : findIn(element, 'svg').some((svg) => !isIcon(rectOf(svg), WRAPPED));

const STRETCHES = [0.5, 0.13, 0.37, 0.63, 0.87];

/** Points on the outline of a shape, in the viewport: a shape without a filling cannot be hit anywhere else. */
export function outlineOf(shape) {
  if (!(shape instanceof SVGGeometryElement)) return [];
  const matrix = shape.getScreenCTM();
  const length = matrix ? shape.getTotalLength() : 0;
  if (!length) return [];
  return STRETCHES.map((share) => shape.getPointAtLength(share * length).matrixTransform(matrix)).map(({ x, y }) => [x, y]);
}

/** Where a shape can be clicked that its middle does not belong to, seen from there; null = in the middle. */
export function gripOf(element) {
  if (!isShape(element)) return null;
  const box = rectOf(element);
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const takes = (point) => isInside(hitAt(...point), element);
  if (box.width && box.height && takes([x, y])) return null; // a flat one counts as hidden with Playwright
  const point = outlineOf(element).find(takes);
  return point ? [point[0] - x, point[1] - y] : null;
}
