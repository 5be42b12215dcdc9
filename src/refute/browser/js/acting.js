// What has to be known of an element just before it is acted on, and the scrolling that Playwright has no call for.
import { attr, bodyOf, closest, drawnParent, elementAt, hasAttr, isForm, isShown, isTiny, meets, rectOf, rootElement, tagOf, textOf } from './dom.js';
import { checkedOf, isDisabled, nameOf, roleOf } from './names.js';
import { gripOf } from './shapes.js';
import { labelOf } from './states.js';
import { coverOf } from './targets.js';

const TYPED = /^(button|submit|reset|image|checkbox|radio|file|color|range|hidden)$/; // inputs that take no typed text
const VALUED = /^(color|range|date|time|datetime-local|month|week|number)$/; // inputs whose values have a form
const CHECKABLE = new Set(['checkbox', 'menuitemcheckbox', 'menuitemradio', 'radio', 'switch']);

const view = () => [0, 0, innerWidth, innerHeight];

/** The control that a label stands for, or the element itself. */
const controlOf = (element) => (tagOf(element) === 'label' && element.control) || element;

/** The visible label of a control, for controls that are styled away. */
export function labelElement(element) {
  const labels = controlOf(element).labels;
  return labels ? [...labels].find((label) => isShown(label)) || null : null;
}

/** Facts about an element that decide how, and whether, it can be acted on. */
export function probe(element) {
  if (isForm(element)) return { tag: 'form', role: 'form', name: nameOf(element), shown: isShown(element) };
  const control = controlOf(element);
  const tag = tagOf(control);
  const role = roleOf(control);
  const link = closest(element, 'a[href],area[href]');
  const owner = link || (control.form && /^(submit|image)$/.test(control.type) ? control.form : null);
  return {
    tag,
    role,
    name: nameOf(control),
    type: tag === 'input' ? control.type : '',
    shown: isShown(element, { visibilityProperty: true }),
    hidden_control: control !== element || isTiny(control) || !isShown(control, { opacityProperty: true, visibilityProperty: true }),
    has_label: Boolean(labelElement(element)),
    disabled: isDisabled(control),
    readonly: Boolean(control.readOnly) || attr(control, 'aria-readonly') === 'true',
    fillable: (tag === 'input' && !TYPED.test(control.type)) || tag === 'textarea' || Boolean(control.isContentEditable),
    value: VALUED.test(control.type) ? control.value : '',
    filled: Boolean(control.isContentEditable ? textOf(control) : control.value),
    multiple: Boolean(control.multiple),
    ...limitsOf(control, tag),
    options: tag === 'select' ? [...control.options].map((o) => ({ label: labelOf(o), disabled: isOptionDisabled(o) })) : null,
    checked: CHECKABLE.has(role) ? checkedOf(control) : null,
    grip: gripOf(element),
    covered: meets(rectOf(element), view()) && coverOf(element, view()) !== null,
    opens_tab: Boolean(owner && hasAttr(owner, 'target') && !/^_(self|top|parent)$/.test(attr(owner, 'target'))),
  };
}

/** What a number, date or range may be, as the page says it. */
function limitsOf(control, tag) {
  const limits = {};
  for (const name of ['min', 'max', 'step']) limits[name] = (tag === 'input' && attr(control, name)) || '';
  return limits;
}

const isOptionDisabled = (option) => option.disabled || Boolean(closest(option, 'optgroup[disabled]'));

/** How an axis is read and scrolled. */
const AXES = {
  y: { overflow: 'overflowY', size: 'clientHeight', content: 'scrollHeight', at: 'scrollTop', window: () => innerHeight, side: 'top' },
  x: { overflow: 'overflowX', size: 'clientWidth', content: 'scrollWidth', at: 'scrollLeft', window: () => innerWidth, side: 'left' },
};

/** Scroll `element` (null: whatever scrolls in the middle of the page) by `share` of what it shows; returns pixels moved. */
export function scroll(element, share, axisName = 'y') {
  const axis = AXES[axisName];
  const target = element ? scrollable(element, axis) : mainScroller(axis);
  if (!target) return { moved: 0 };
  const before = target[axis.at];
  target.scrollBy({ [axis.side]: share * (isPage(target) ? axis.window() : target[axis.size]), behavior: 'instant' });
  return { moved: Math.round(target[axis.at] - before) };
}

const isPage = (element) => element === document.scrollingElement;

function mainScroller(axis) {
  const page = document.scrollingElement || rootElement(document);
  const overflows = page && page[axis.content] > axis.window() + 2;
  if (overflows && getComputedStyle(page)[axis.overflow] !== 'hidden') return page;
  return scrollable(elementAt(document, innerWidth / 2, innerHeight / 2), axis) || page || bodyOf(document);
}

/** The element, or the nearest one around it, whose content is larger than what it shows. */
function scrollable(element, axis) {
  for (let e = element; e; e = drawnParent(e)) {
    const scrolls = /auto|scroll/.test(getComputedStyle(e)[axis.overflow]) && e[axis.content] > e[axis.size] + 2;
    if (scrolls || isPage(e)) return e;
  }
  return null;
}
