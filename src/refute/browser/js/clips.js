// What an element can be seen through. A clip is [left, top, right, bottom] in this frame's viewport.
import { drawnParent, intersect, matches, meets, tagOf } from './dom.js';
import { skipsContents } from './shortcuts.js';

const TOP_LAYER = ':modal,:popover-open,:fullscreen';

/**
 * The clip of an element that may leave its parent's: an absolutely positioned one is clipped from its containing block
 * on, a fixed one by the viewport only, and one in the top layer (modal dialogs, popovers) by nothing else at all.
 */
function widened(e, style, clip, context) {
  if (style.position === 'static' || style.position === 'relative' || style.position === 'sticky') return clip;
  if (matches(e, TOP_LAYER)) return context.view;
  return style.position === 'fixed' ? context.fixed : context.absolute;
}

/** The clip that `e` is in view through, or null when it is not in view. `style` may be asked for late: it costs. */
export function clipFor(e, box, clip, context) {
  const inView = meets(box, clip);
  if (inView || !meets(box, context.view)) return inView ? clip : null;
  const wide = widened(e, getComputedStyle(e), clip, context);
  return meets(box, wide) ? wide : null;
}

/** The clips of what is inside `e`, and how far it scrolls, in words. */
export function clipsInside(e, style, box, clip, context, wholePage) {
  const own = widened(e, style, clip, context);
  const { inner, scrolls } = overflowOf(e, style, box, own, wholePage);
  const contains =
    style.transform !== 'none' ||
    style.filter !== 'none' ||
    style.perspective !== 'none' ||
    style.rotate !== 'none' ||
    style.scale !== 'none' ||
    style.translate !== 'none' ||
    style.backdropFilter !== 'none' ||
    /paint|layout|strict|content/.test(style.contain) ||
    /transform|filter|perspective/.test(style.willChange);
  return {
    own,
    inner,
    scrolls,
    fixed: contains ? inner : context.fixed,
    absolute: contains || style.position !== 'static' ? inner : context.absolute,
  };
}

function overflowOf(e, style, box, clip, wholePage) {
  const shows = style.overflowX === 'visible' && style.overflowY === 'visible';
  if (shows || style.display === 'inline' || tagOf(e) === 'body' || tagOf(e) === 'html') return { inner: clip, scrolls: '' };
  const down = /auto|scroll/.test(style.overflowY) && e.scrollHeight > e.clientHeight + 2;
  const aside = /auto|scroll/.test(style.overflowX) && e.scrollWidth > e.clientWidth + 2;
  const clipped = intersect(clip, box.left, box.top, box.right, box.bottom);
  return { inner: wholePage && (down || aside) ? clip : clipped, scrolls: scrollWords(e, style, down, aside) };
}

function scrollWords(e, style, down, aside) {
  const words = [];
  if (down || aside) {
    const above = Math.round(e.scrollTop);
    words.push(`${above}px above`, `${Math.max(0, Math.round(e.scrollHeight - e.clientHeight - e.scrollTop))}px below`);
  }
  if (aside) {
    const most = e.scrollWidth - e.clientWidth;
    const left = Math.round(style.direction === 'rtl' ? most + e.scrollLeft : e.scrollLeft); // counts down from 0 in RTL
    words.push(`${left}px left`, `${Math.max(0, most - left)}px right`);
  }
  return words.join(', ');
}

/** Whether an element that is itself out of view hides `e`, which was found inside it and would be in view. */
export function isHiddenBeyond(e, visited) {
  let { position } = getComputedStyle(e);
  if (position === 'fixed' || matches(e, TOP_LAYER)) return false;
  for (let up = drawnParent(e); up && !visited.has(up); up = drawnParent(up)) {
    const style = getComputedStyle(up);
    if (position === 'absolute' && style.position === 'static') continue; // not the block that contains it
    if (skipsContents(style)) return true;
    position = style.position;
    if (position === 'fixed') return false;
  }
  return false;
}
