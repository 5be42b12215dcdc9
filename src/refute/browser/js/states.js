// What is known of a target besides its name: value, options, states, and notes for the reader of the text.
import { activeElement, attr, find, hasAttr, isForm, isSvg, tagOf } from './dom.js';
import { checkedOf, isDisabled, pressedOf } from './names.js';
import { cut, quote, squash } from './text.js';

const CHECKABLE = new Set(['checkbox', 'menuitemcheckbox', 'menuitemradio', 'radio', 'switch']);
const NO_VALUE = /^(submit|button|reset|image|checkbox|radio|hidden)$/;
const MANY_OPTIONS = 30;
const yes = (element, name) => hasAttr(element, name) && attr(element, name) !== 'false';

export const labelOf = (option) => squash(option.label || option.text).trim();

/** `{value, options, states, notes}`; `states` are single words, `notes` the words shown in the text, in reading order. */
export function describe(element, role, name) {
  const tag = tagOf(element);
  const facts = { value: null, options: [], states: [], notes: [] };
  if (isForm(element)) return facts; // its own properties cannot be trusted (dom.js)
  const state = (word, holds) => {
    if (holds) {
      facts.states.push(word);
      facts.notes.push(word);
    }
  };
  valueInto(facts, element, tag, role, state);
  if (element.placeholder && element.placeholder !== name) {
    facts.notes.push('placeholder=' + quote(cut(element.placeholder, 60)));
  }
  state('disabled', isDisabled(element));
  state('readonly', element.readOnly || attr(element, 'aria-readonly') === 'true');
  state('required', element.required || attr(element, 'aria-required') === 'true');
  const open = tag === 'summary' ? element.parentElement && element.parentElement.open : null;
  state('expanded', open ?? attr(element, 'aria-expanded') === 'true');
  state('collapsed', tag === 'summary' ? !open : attr(element, 'aria-expanded') === 'false');
  if (hasAttr(element, 'aria-pressed')) state(pressedOf(element) ? 'pressed' : 'unpressed', true);
  state('selected', attr(element, 'aria-selected') === 'true' || (tag === 'option' && element.selected));
  const wrong = element.willValidate && element.value !== '' && !element.validity.valid;
  state('invalid', yes(element, 'aria-invalid') || wrong);
  state('current', yes(element, 'aria-current'));
  state('popup', yes(element, 'aria-haspopup'));
  state('focused', element === activeElement());
  state('draggable', element.draggable && tag !== 'a' && tag !== 'img');
  return facts;
}

function valueInto(facts, element, tag, role, state) {
  const show = (text) => {
    facts.value = cut(text, 300);
    facts.notes.push('value=' + quote(facts.value));
  };
  if (CHECKABLE.has(role)) {
    const checked = checkedOf(element);
    state(checked === 'mixed' ? 'mixed' : checked ? 'checked' : 'unchecked', true);
  } else if (tag === 'select') {
    optionsInto(facts, element, state);
  } else if (tag === 'input' && element.type === 'password') {
    show('•'.repeat(Math.min(element.value.length, 12))); // never the text itself
    facts.notes.push('type=password');
  } else if (tag === 'input' && element.type === 'file') {
    show([...element.files].map((file) => file.name).join(', '));
  } else if (tag === 'textarea' || (tag === 'input' && !NO_VALUE.test(element.type))) {
    show(element.value);
    if (tag === 'input' && element.type !== 'text') facts.notes.push('type=' + element.type);
    if (/^(range|number)$/.test(element.type) && (element.min || element.max)) {
      facts.notes.push(`range=${element.min || '-'}..${element.max || '-'}`);
    }
  } else if (element.isContentEditable) {
    show(squash(element.innerText).trim());
    facts.notes.push('editable');
  } else if (role === 'slider' || role === 'spinbutton' || role === 'progressbar') {
    const value = attr(element, 'aria-valuetext') || attr(element, 'aria-valuenow');
    if (value) show(value);
  }
}

function optionsInto(facts, select, state) {
  const options = [...select.options];
  facts.value = options.filter((o) => o.selected).map(labelOf).join(', ');
  facts.options = options.map(labelOf);
  state('multiple', select.multiple);
  const shown = options.slice(0, MANY_OPTIONS).map((o) => (o.selected ? '*' : '') + labelOf(o) + (o.disabled ? ' (disabled)' : ''));
  const more = options.length > MANY_OPTIONS ? ` … ${options.length} in all` : '';
  facts.notes.push('options: ' + cut(shown.join(' | '), 400) + more);
}

/** A nameless target's id, class or icon, in braces: better than nothing to tell it by. */
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
  return parts.length ? ' {' + cut(parts.join(' '), 50) + '}' : '';
}

/** Fill or background colour as #rrggbb; '' when there is none. */
export function colorOf(element) {
  const style = getComputedStyle(element);
  const color = isSvg(element) ? (style.fill !== 'none' ? style.fill : style.stroke) : style.backgroundColor;
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
    return url.origin === location.origin && url.origin !== 'null' ? url.pathname + url.search + url.hash : href;
  } catch {
    return href;
  }
}
