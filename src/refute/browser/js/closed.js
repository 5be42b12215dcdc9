// Closed shadow roots written in the page's HTML. No script can look into them (those that scripts attach are opened by
// page.js), but their effects can be told: children that are in no tree that is drawn, or content where there is none.
import { attr, firstElement, firstNode, nodesOf, parentOf, rectOf, shadowOf, tagOf, textOf } from './dom.js';

const HOSTS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

/** Whether a closed shadow root hides what is drawn in this element, which is in view. */
export function isClosed(e, tag, style) {
  if (shadowOf(e) || !(HOSTS.has(tag) || tag.includes('-'))) return false;
  const child = firstElement(e);
  if (child) return getComputedStyle(child).display === ''; // a child of a host without a slot for it has no style
  if (firstNode(e)) return /\S/.test(textOf(e)) && [...nodesOf(e)].every((node) => node.nodeType !== Node.TEXT_NODE || isUndrawn(node));
  return growsByItself(e, style);
}

function isUndrawn(text) {
  const range = document.createRange();
  range.selectNodeContents(text);
  return range.getClientRects().length === 0;
}

/** An empty element that is taller than its paddings and borders though no style gives it a height. */
function growsByItself(e, style) {
  const sides = [style.paddingTop, style.paddingBottom, style.borderTopWidth, style.borderBottomWidth];
  const padding = sides.reduce((sum, side) => sum + parseFloat(side), 0);
  const box = rectOf(e);
  if (tagOf(e) === 'body' || e.isContentEditable || box.width < 4 || box.height - padding < 4) return false;
  const parent = parentOf(e);
  if (!parent || !/^(block|flow-root|inline|inline-block|list-item|contents)$/.test(getComputedStyle(parent).display)) return false;
  if (style.position === 'absolute' || style.position === 'fixed' || /table|flex|grid/.test(style.display)) return false;
  for (const part of ['::before', '::after']) if (getComputedStyle(e, part).content !== 'none') return false;
  const computed = e.computedStyleMap();
  const free = (name, value) => String(computed.get(name)) === value;
  return free('height', 'auto') && /^(auto|0px)$/.test(String(computed.get('min-height'))) && free('aspect-ratio', 'auto');
}

/** How a nameless host is told from others. */
export const hostName = (e) => tagOf(e) + (attr(e, 'id') ? '#' + attr(e, 'id').replace(/[^\w-]/g, '') : '');
