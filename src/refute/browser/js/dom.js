// Reads of the DOM that a page cannot falsify.
//
// The walker runs in an isolated world, where the page's scripts cannot replace functions. One door stays open: a form's
// own properties are shadowed by the names of its controls (`<input name="childNodes">`), and the document's by the names
// of its images and forms, in every world. So everything that is asked of an element that may be a form, or of the
// document, goes through the getters and methods of the prototypes.

const getter = (prototype, name) => {
  const get = Object.getOwnPropertyDescriptor(prototype, name).get;
  return (target) => Reflect.apply(get, target, []);
};
const method = (prototype, name) => {
  const call = prototype[name];
  return (target, ...rest) => Reflect.apply(call, target, rest);
};

const E = Element.prototype;
const N = Node.prototype;
const D = Document.prototype;

export const tagOf = getter(E, 'localName');
export const namespaceOf = getter(E, 'namespaceURI');
export const shadowOf = getter(E, 'shadowRoot');
export const slotOf = getter(E, 'assignedSlot');
export const elementsOf = getter(E, 'children');
export const elementCount = getter(E, 'childElementCount');
export const firstElement = getter(E, 'firstElementChild');
export const nextElement = getter(E, 'nextElementSibling');
export const parentOf = getter(N, 'parentElement');
export const nodesOf = getter(N, 'childNodes');
export const firstNode = getter(N, 'firstChild');
export const previousNode = getter(N, 'previousSibling');
export const nextNode = getter(N, 'nextSibling');
export const isConnected = getter(N, 'isConnected');
export const textOf = getter(N, 'textContent');
export const rectOf = method(E, 'getBoundingClientRect');
export const rectsOf = method(E, 'getClientRects');
export const attr = method(E, 'getAttribute');
export const hasAttr = method(E, 'hasAttribute');
export const isShown = method(E, 'checkVisibility');
export const closest = method(E, 'closest');
export const matches = method(E, 'matches');
export const find = method(E, 'querySelector');
export const findIn = (element, selector) => [...Reflect.apply(E.querySelectorAll, element, [selector])];
export const descendants = method(E, 'getElementsByTagName');
export const rootOf = method(N, 'getRootNode');
export const order = method(N, 'compareDocumentPosition');
export const dispatch = method(EventTarget.prototype, 'dispatchEvent');
export const findAll = method(D, 'querySelectorAll');
export const elementAt = method(D, 'elementFromPoint');
export const bodyOf = getter(D, 'body');
export const rootElement = getter(D, 'documentElement');
export const byId = method(D, 'getElementById');
export const titleOf = getter(D, 'title');
export const focused = getter(D, 'activeElement');

export const isForm = (element) => element instanceof HTMLFormElement;
export const isSvg = (element) => namespaceOf(element) === 'http://www.w3.org/2000/svg';

/** The children that are drawn: those of an open shadow root, or those assigned to a slot, before the light ones. */
export function drawnNodes(element) {
  const shadow = shadowOf(element);
  if (shadow) return nodesOf(shadow);
  if (tagOf(element) === 'details' && !element.open) return [...nodesOf(element)].filter((n) => n.localName === 'summary');
  if (tagOf(element) === 'slot') {
    const assigned = element.assignedNodes();
    if (assigned.length) return assigned;
  }
  return nodesOf(element);
}

/** The element that `node` is drawn in: over slots and out of shadow roots. */
export function drawnParent(element) {
  const root = rootOf(element);
  return slotOf(element) || parentOf(element) || (root instanceof ShadowRoot ? root.host : null);
}

export function isInside(element, ancestor) {
  for (let e = element; e; e = drawnParent(e)) if (e === ancestor) return true;
  return false;
}

/** The innermost element painted at a point, also inside open shadow roots. */
export function hitAt(x, y) {
  let hit = elementAt(document, x, y);
  for (let shadow = hit && shadowOf(hit); shadow; shadow = shadowOf(hit)) {
    const inner = shadow.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

/** The element with the focus, also inside open shadow roots. */
export function activeElement() {
  let active = focused(document);
  while (active && shadowOf(active) && shadowOf(active).activeElement) active = shadowOf(active).activeElement;
  return active;
}

// A clip is [left, top, right, bottom] in the coordinates of this frame's viewport.

export const meets = (rect, clip) =>
  rect.bottom > clip[1] && rect.top < clip[3] && rect.right > clip[0] && rect.left < clip[2];

export const intersect = (clip, left, top, right, bottom) => [
  Math.max(clip[0], left),
  Math.max(clip[1], top),
  Math.min(clip[2], right),
  Math.min(clip[3], bottom),
];

export const isTiny = (element) => {
  const rect = rectOf(element);
  return rect.width < 4 || rect.height < 4;
};
