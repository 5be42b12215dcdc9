// Accessible roles, names and states, by ivya: the code that Playwright's own role locators use, as a library.
import {
  beginAriaCaches,
  endAriaCaches,
  getAriaChecked,
  getAriaLevel,
  getAriaPressed,
  getAriaRole,
  getElementAccessibleName,
} from 'ivya/utils';
import { attr, byId, closest, hasAttr, isForm, matches, textOf } from './dom.js';
import { squash } from './text.js';

export const beginNames = beginAriaCaches;
export const endNames = endAriaCaches;
export const checkedOf = getAriaChecked;
export const pressedOf = getAriaPressed;
export const levelOf = getAriaLevel;

/** Natively, or by the word of the nearest element around it that has one. */
export function isDisabled(element) {
  const said = closest(element, '[aria-disabled]');
  return matches(element, ':disabled') || (said !== null && attr(said, 'aria-disabled') === 'true');
}

const ICON_GLYPHS = /[\ue000-\uf8ff](" \/ ")?/g; // drawn by icon fonts, read by nobody

/** ARIA role, or '' (generic and presentation count as none). Forms are not handed to the library: see dom.js. */
export function roleOf(element) {
  if (isForm(element)) return attr(element, 'role') || 'form';
  try {
    const role = getAriaRole(element) || '';
    return role === 'generic' || role === 'presentation' || role === 'none' ? '' : role;
  } catch {
    return '';
  }
}

/** Accessible name, on one line. */
export function nameOf(element) {
  if (isForm(element)) return formName(element);
  try {
    const name = getElementAccessibleName(element, false) || hiddenName(element);
    return squash(name.replace(ICON_GLYPHS, '')).trim();
  } catch {
    return plainName(element); // the library met a form around it whose properties are shadowed
  }
}

/** The name of what is hidden from assistive technology and yet drawn, as it would be without that. */
const hiddenName = (element) => (closest(element, '[aria-hidden=true]') ? getElementAccessibleName(element, true) : '');

function plainName(element) {
  const labels = element.labels ? [...element.labels] : [];
  const said = attr(element, 'aria-label') || labels.map(textOf).join(' ') || attr(element, 'alt') || attr(element, 'placeholder');
  return squash(said || textOf(element) || attr(element, 'title') || '').trim();
}

function formName(form) {
  const labels = (attr(form, 'aria-labelledby') || '').split(/\s+/).filter(Boolean);
  const text = labels.map((id) => byId(document, id)).filter(Boolean).map((e) => textOf(e)).join(' ');
  return squash(text || (hasAttr(form, 'aria-label') ? attr(form, 'aria-label') : '')).trim();
}
