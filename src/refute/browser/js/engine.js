// The door: a selector engine of Playwright's, which lives in an isolated world, one instance per document.
//
//   refute=12              the element with that number, or nothing
//   refute=12/label        the visible label of that element
//   refute={"do": …}       a command; the answer is JSON
//
// An engine returns elements. A command's answer is the text of a detached element, which no documentation promises: so
// `"via": "attribute"` puts it on the document's root instead, where a second call reads it and takes it away.
import { labelElement, probe, scroll } from './acting.js';
import { ANSWER, createActivity } from './activity.js';
import { rootElement } from './dom.js';
import { observe } from './observe.js';
import { createClickWatch } from './press.js';
import { createRegistry } from './registry.js';
import { createListenerQuestion } from './targets.js';

const KEY = '__REFUTE_KEY__'; // replaced by an unguessable word, the same as in page.js

const registry = createRegistry();
const activity = createActivity(KEY);
const clicks = createClickWatch(KEY);
const listens = createListenerQuestion(KEY);

const commands = {
  canary: () => ({ canary: 'alive', numbers: registry.size() }),
  observe: (options) => observe(options, { registry, listens, onShadow: activity.watch, version: activity.version() }),
  pulse: () => activity.pulse(),
  probe: ({ id, watch }) => {
    if (watch) withElement(id, clicks.watch);
    return { facts: withElement(id, probe, null) };
  },
  clicked: () => ({ fate: clicks.verdict() }),
  scroll: ({ id, share, axis }) =>
    id ? withElement(id, (e) => scroll(e, share, axis), { moved: null }) : scroll(null, share, axis),
};

function withElement(id, use, otherwise) {
  const element = registry.get(id);
  return element ? use(element) : otherwise;
}

function answer(body) {
  const command = JSON.parse(body);
  let result;
  try {
    result = commands[command.do](command);
  } catch (error) {
    result = { error: String((error && error.stack) || error) };
  }
  const carrier = command.via === 'attribute' ? rootElement(document) : document.createElement('i');
  if (command.via === 'attribute') carrier.setAttribute(ANSWER, JSON.stringify(result));
  else carrier.textContent = JSON.stringify(result);
  return carrier;
}

export const engine = {
  query: (root, body) => engine.queryAll(root, body)[0],
  queryAll(root, body) {
    if (body[0] === '{') return [answer(body)];
    const [id, part] = body.split('/');
    const element = registry.get(Number(id));
    const found = element && part === 'label' ? labelElement(element) : element;
    return found ? [found] : [];
  },
};
