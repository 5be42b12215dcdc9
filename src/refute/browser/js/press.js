// Whether a click reached its element: what lies under the mouse may change between the press and the release.
import { closest, dispatch, drawnParent, hitAt, isConnected, isInside, rectOf, tagOf } from './dom.js';
import { nameOf, roleOf } from './names.js';

const FIELD = 'input:not([type=button],[type=submit],[type=reset],[type=image],[type=checkbox],[type=radio]),textarea,select';

/**
 * `watch(element)` before a click; `verdict()` after it, '' when all is well or nothing is known, else what became of
 * an element that got no click:
 *
 * replaced   one that looks the same took its place; moved: it went away from under the mouse. Nothing was clicked.
 * elsewhere  the mouse went down on something else. Of a click that looks where it lands nobody has to be told.
 * heard      scripts listen to its being pressed; vanished: it is gone, and nothing like it is there; overlaid: the page
 *            put something over it. The press may have been all that it takes.
 */
export function createClickWatch(key) {
  let watched = null;
  const isOn = (event) => {
    if (!watched || !event.isTrusted) return false;
    const path = event.composedPath();
    return watched.parts.some((part) => path.includes(part));
  };
  const press = (event) => {
    if (!isOn(event)) {
      if (watched && event.isTrusted) watched.elsewhere = true;
      return;
    }
    const { element } = watched;
    watched.pressed = { x: event.clientX, y: event.clientY, box: rectOf(element), heard: isHeard(event, element, key) };
  };
  const click = (event) => {
    if (isOn(event)) watched.clicked = true;
  };
  return {
    watch(element) {
      const labels = element.labels ? [...element.labels] : [];
      const parts = [element, ...labels, ...(tagOf(element) === 'label' && element.control ? [element.control] : [])];
      watched = { element, parts, tag: tagOf(element), role: roleOf(element), name: nameOf(element), pressed: null, elsewhere: false, clicked: false };
      addEventListener('mousedown', press, true); // each time: a document that is opened anew has lost them
      addEventListener('click', click, true);
    },
    verdict() {
      const last = watched;
      watched = null;
      if (!last || last.clicked) return '';
      if (last.pressed) return fate(last);
      return last.elsewhere ? 'elsewhere' : '';
    },
  };
}

/** Whether scripts listen to presses of the element, or of what was hit inside it; the main world knows (page.js). */
function isHeard(event, element, key) {
  const asked = () => new Event(key + '-presses', { cancelable: true, composed: true });
  for (let e = event.composedPath()[0]; e; e = drawnParent(e)) {
    if (!dispatch(e, asked())) return true;
    if (e === element) return false;
  }
  return false;
}

function fate(watched) {
  const { element, pressed } = watched;
  const { x, y, box, heard } = pressed;
  const isField = element.isContentEditable || closest(element, FIELD) !== null; // a press gives it the focus
  const now = rectOf(element);
  const hit = hitAt(x, y);
  if (!isConnected(element) || (!now.width && !now.height)) {
    if (heard || isField) return heard ? 'heard' : 'vanished';
    return isAlike(hit, watched) ? 'replaced' : 'vanished';
  }
  if (isField || (hit && isInside(hit, element))) return ''; // e.g. a slider that takes what the mouse does from here on
  if (heard) return 'heard';
  const moved = Math.abs(now.left - box.left) > 1 || Math.abs(now.top - box.top) > 1;
  return moved ? 'moved' : 'overlaid';
}

function isAlike(hit, { tag, role, name }) {
  for (let e = hit; e; e = drawnParent(e)) if (tagOf(e) === tag && roleOf(e) === role && nameOf(e) === name) return true;
  return false;
}
