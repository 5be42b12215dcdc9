// What is known of a target besides its name: value, options, states, and notes for the reader of the text.
import { activeElement, attr, closest, find, hasAttr, isForm, isSvg, matches, parentOf, tagOf } from './dom.js';
import { checkedOf, isDisabled, pressedOf } from './names.js';
import { cut, squash } from './text.js';

const CHECKABLE = new Set(['checkbox', 'menuitemcheckbox', 'menuitemradio', 'radio', 'switch']);
const NO_VALUE = /^(submit|button|reset|image|checkbox|radio|hidden)$/;
const RANGES = new Set(['slider', 'spinbutton', 'progressbar', 'scrollbar']);
const MANY_OPTIONS = 30;
const VALUE = 300; // characters of a field that are shown
const LONG_VALUE = 5000; // of the field that has the focus
const yes = (element, name) => !['', 'false', null].includes(attr(element, name));

export const labelOf = (option) => squash(option.label || option.text).trim();

/**
 * `{value, options, states, notes, choices}`: what there is to know of a target besides its name.
 *
 * `states` are single words; `notes` are `[word]` or `[key, value]` in reading order; `choices` are a select's options
 * that are shown, and at which note.
 */
export function describe(element, role, name) {
  const tag = tagOf(element);
  const facts = { value: null, options: [], states: [], notes: [], choices: null };
  if (isForm(element)) return facts; // its own properties cannot be trusted (dom.js)
  const state = (word, holds) => {
    if (holds) {
      facts.states.push(word);
      facts.notes.push([word]);
    }
  };
  valueInto(facts, element, tag, role, state);
  const placeholder = element.placeholder || attr(element, 'aria-placeholder');
  if (placeholder && placeholder !== name) facts.notes.push(['placeholder', cut(placeholder, 60)]);
  state('disabled', isDisabled(element));
  state('readonly', element.readOnly || attr(element, 'aria-readonly') === 'true');
  state('required', element.required || attr(element, 'aria-required') === 'true');
  const open = isOpen(element, tag);
  state('expanded', open === true);
  state('collapsed', open === false);
  if (hasAttr(element, 'aria-pressed')) {
    const pressed = pressedOf(element);
    state(pressed === 'mixed' ? 'mixed' : pressed ? 'pressed' : 'unpressed', true);
  }
  state('selected', attr(element, 'aria-selected') === 'true' || (tag === 'option' && element.selected));
  invalidInto(facts, element, state);
  state('current', yes(element, 'aria-current'));
  state('popup', yes(element, 'aria-haspopup'));
  state('busy', attr(element, 'aria-busy') === 'true');
  state('focused', element === activeElement());
  state('draggable', element.draggable && tag !== 'a' && tag !== 'img');
  return facts;
}

/** Whether what the element opens is open; undefined when it opens nothing. */
function isOpen(element, tag) {
  if (tag === 'summary') return Boolean(parentOf(element) && parentOf(element).open);
  if (hasAttr(element, 'aria-expanded')) {
    const expanded = attr(element, 'aria-expanded');
    return expanded === 'true' ? true : expanded === 'false' ? false : undefined;
  }
  const popover = element.popoverTargetElement;
  return popover ? matches(popover, ':popover-open') : undefined;
}

/** Invalid by its author's word, by its content, or, once the user tried to send it, by being empty. */
function invalidInto(facts, element, state) {
  const checks = element.willValidate && !element.validity.valid;
  const wrong = checks && (element.value !== '' || matches(element, ':user-invalid'));
  state('invalid', yes(element, 'aria-invalid') || wrong);
  // the browser shows its message in a bubble that is no part of the page
  if (wrong && matches(element, ':user-invalid')) facts.notes.push(['error', cut(element.validationMessage, 120)]);
}

function valueInto(facts, element, tag, role, state) {
  const show = (text) => {
    const most = element === activeElement() ? LONG_VALUE : VALUE;
    facts.value = cut(text, most);
    facts.notes.push(['value', facts.value]);
    if (text.length > most) facts.notes.push(['shown', `${most} of ${text.length} characters`]);
  };
  if (CHECKABLE.has(role)) {
    const checked = checkedOf(element);
    state(checked === 'mixed' ? 'mixed' : checked ? 'checked' : 'unchecked', true);
  } else if (tag === 'select') {
    optionsInto(facts, element, state);
  } else if (tag === 'input' && element.type === 'password') {
    show('•'.repeat(Math.min(element.value.length, 12))); // never the text itself
    facts.notes.push(['type=password']);
  } else if (tag === 'input' && element.type === 'file') {
    show([...element.files].map((file) => file.name).join(', '));
  } else if (tag === 'textarea' || (tag === 'input' && !NO_VALUE.test(element.type))) {
    show(element.value);
    if (tag === 'input' && element.type !== 'text') facts.notes.push(['type=' + element.type]);
    if (/^(range|number)$/.test(element.type) && (element.min || element.max)) {
      facts.notes.push([`range=${squash(element.min || '-')}..${squash(element.max || '-')}`]);
    }
  } else if (element.isContentEditable) {
    show(squash(element.innerText).trim());
    facts.notes.push(['editable']);
  } else if (RANGES.has(role)) {
    const value = attr(element, 'aria-valuetext') || attr(element, 'aria-valuenow');
    if (value) show(value);
  }
  if (tag !== 'select') state('multiple', attr(element, 'aria-multiselectable') === 'true');
}

function optionsInto(facts, select, state) {
  const options = [...select.options];
  facts.value = options.filter((o) => o.selected).map(labelOf).join(', ');
  facts.options = options.map(labelOf);
  state('multiple', select.multiple);
  const shown = options.slice(0, MANY_OPTIONS).map((o) => ({
    label: labelOf(o),
    selected: o.selected,
    disabled: o.disabled || Boolean(closest(o, 'optgroup[disabled]')),
  }));
  facts.choices = { shown, total: options.length, at: facts.notes.length };
}

/** A nameless target's id, class or icon: better than nothing to tell it by. */
export function hintOf(element) {
  const use = find(element, 'use');
  const icon = find(element, 'img,[class*="icon"],[class*="fa-"],i[class]');
  const classes = (icon && attr(icon, 'class')) || attr(element, 'class') || '';
  const parts = [
    attr(element, 'id') && '#' + attr(element, 'id'),
    classes.trim() && '.' + classes.trim().split(/\s+/).slice(0, 3).join('.'),
    attr(element, 'name') && 'name=' + attr(element, 'name'),
    use && attr(use, 'href'),
  ].filter(Boolean);
  return cut(squash(parts.join(' ')).replace(/[{}]/g, ''), 50);
}

/** Fill or background colour as #rrggbb; '' when there is none. */
export function colorOf(element) {
  const style = getComputedStyle(element);
  const filled = style.fill !== 'none' && tagOf(element) !== 'line';
  const color = isSvg(element) ? (filled ? style.fill : style.stroke) : style.backgroundColor;
  const found = /rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)/.exec(color);
  if (!found || found[4] === '0') return '';
  return '#' + found.slice(1, 4).map((part) => (+part).toString(16).padStart(2, '0')).join('');
}

/** Where a link leads, as short as it can be said from this page; '' for nowhere. */
export function destinationOf(link) {
  const href = attr(link, 'href');
  if (!href || href === '#') return '';
  try {
    const url = new URL(href, document.baseURI);
    if (url.hash && url.href.split('#')[0] === location.href.split('#')[0]) return url.hash;
    return url.origin === location.origin && url.origin !== 'null' ? url.pathname + url.search + url.hash : squash(href);
  } catch {
    return squash(href);
  }
}
