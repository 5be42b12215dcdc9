// One observation of this frame: the text of what is in view, the targets in it, and the frames to go on with.
import { bodyOf, descendants, drawnParent, elementAt, meets, rectOf, rootElement, tagOf, titleOf } from './dom.js';
import { Compact } from './compact.js';
import { countByOrder, countExactly } from './counts.js';
import { beginNames, endNames } from './names.js';
import { overlapped } from './overlaps.js';
import { squash } from './text.js';
import { Tree } from './tree.js';
import { Walk } from './walk.js';

const EXACT_BELOW = 3000; // elements; smaller documents are walked without shortcuts
const WRITERS = { compact: Compact, axtree: Tree };

/**
 * `next`: the least number not yet taken. `form`: compact or axtree. `extent`: viewport or page. `clip`: the visible part
 * of this frame, in its own coordinates. `matrix`: the map from them to the page's viewport. `covers`: what lies over this
 * frame, in the documents around it. `exact`: take no shortcuts.
 */
export function observe(options, { registry, listens, onShadow, version }) {
  const { next = 1, form = 'compact', extent = 'viewport', clip, matrix = [1, 0, 0, 1, 0, 0], covers = [], exact } = options;
  registry.startAt(next);
  const wholePage = extent === 'page';
  const view = wholePage ? pageBox() : clip || [0, 0, innerWidth, innerHeight];
  const root = bodyOf(document) || rootElement(document);
  const shortcuts = !exact && !wholePage && root && descendants(root, '*').length > EXACT_BELOW;
  const settings = { registry, listens, clip: view, shortcuts, matrix, covers, wholePage, onShadow };
  let walk;
  beginNames();
  try {
    // Hit tests cost more the larger the document is; in a large one only those are made that may find something.
    walk = walked(root, { ...settings, form, doubted: shortcuts && !covers.length ? new Set() : null });
    const doubted = walk.doubted && overlapped(walk);
    if (doubted && doubted.size) walk = walked(root, { ...settings, form, doubted });
    const scroller = document.scrollingElement || rootElement(document);
    const more = scroller && (scroller.scrollHeight > innerHeight + 2 || scroller.scrollWidth > innerWidth + 2);
    if (!wholePage && (more || walk.hidesMore || (clip && isSmaller(clip)))) walk.writer.isPart();
  } finally {
    endNames();
  }
  return {
    title: titleOf(document),
    lines: walk.writer.done,
    elements: walk.elements,
    frames: walk.frames,
    next: registry.next(),
    ...(shortcuts ? countByOrder(walk, view, version) : countExactly(walk, view)),
    scroll: scrollOf(document.scrollingElement || rootElement(document)),
  };
}

function walked(root, { form, ...settings }) {
  const writer = new WRITERS[form]();
  const walk = new Walk({ writer, ...settings });
  const depth = writer.root(squash(titleOf(document)).trim());
  if (root) walk.start(root, depth);
  if (walk.cutCorners) probe(walk, settings.clip, depth);
  return walk;
}

const isSmaller = ([left, top, right, bottom]) => left > 1 || top > 1 || right < innerWidth - 1 || bottom < innerHeight - 1;

/** The part of the plane that scrolling can bring into view, in coordinates of the viewport. */
function pageBox() {
  const root = document.scrollingElement || rootElement(document);
  if (!root) return [0, 0, innerWidth, innerHeight];
  const spare = getComputedStyle(root).direction === 'rtl' ? root.scrollWidth - root.clientWidth : 0;
  const left = -root.scrollLeft - spare;
  return [left, -root.scrollTop, left + root.scrollWidth, -root.scrollTop + root.scrollHeight];
}

const scrollOf = (scroller) =>
  scroller ? [Math.round(scroller.scrollTop), Math.max(0, scroller.scrollHeight - innerHeight)] : [0, 0];

/** Walk what is painted at nine points and was passed over by a shortcut. */
function probe(walk, view, depth) {
  for (let point = 0; point < 9; point++) {
    const x = view[0] + ((view[2] - view[0]) * ((point % 3) + 0.5)) / 3;
    const y = view[1] + ((view[3] - view[1]) * (Math.floor(point / 3) + 0.5)) / 3;
    let top = null;
    let e = elementAt(document, x, y);
    for (; e && !walk.visited.has(e); e = drawnParent(e)) if (meets(rectOf(e), view)) top = e;
    if (top && e && !walk.leaves.has(e) && tagOf(e) !== 'svg') walk.start(top, depth);
  }
}
