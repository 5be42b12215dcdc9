// Runs in the page's own world, before any of the page's scripts: remembers what only that world can know.
//
// It answers five questions of the isolated world, asked as events with an unguessable name, by cancelling them: "do
// scripts listen to this element?", "do they listen to its being pressed?", "is something under way?", "was a window
// opened since the last time?" and "do you still see the page's timers?". It also opens closed shadow roots to the walker.
// Everything it uses later is taken here, since the page may replace it.
(() => {
  const KEY = '__REFUTE_KEY__';
  const { apply } = Reflect;
  const listen = EventTarget.prototype.addEventListener;
  const cancel = Event.prototype.preventDefault;
  const stop = Event.prototype.stopImmediatePropagation;
  const pathOf = Event.prototype.composedPath;
  const PageElement = Element;
  const weakAdd = WeakSet.prototype.add;
  const weakHas = WeakSet.prototype.has;
  const setAdd = Set.prototype.add;
  const setHas = Set.prototype.has;
  const setDelete = Set.prototype.delete;
  const sizeOf = Object.getOwnPropertyDescriptor(Set.prototype, 'size').get;

  // ---- who listens
  const listeners = new WeakSet();
  const pressed = new WeakSet();
  const telling = new Set([
    'click', 'dblclick', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'dragstart', 'contextmenu',
    'mouseover', 'mouseenter', 'mousemove', 'keydown', 'keyup', 'keypress', 'input', 'change',
  ]);
  const handlers = [
    'onclick', 'ondblclick', 'onmousedown', 'onmouseup', 'onpointerdown', 'ondragstart', 'onkeydown', 'oninput', 'onchange',
  ];
  const pressing = new Set(['mousedown', 'pointerdown', 'touchstart']);
  const pressHandlers = ['onmousedown', 'onpointerdown', 'ontouchstart'];
  EventTarget.prototype.addEventListener = function addEventListener(type, listener, options) {
    if (listener && this instanceof PageElement) {
      if (apply(setHas, telling, [type])) apply(weakAdd, listeners, [this]);
      if (apply(setHas, pressing, [type])) apply(weakAdd, pressed, [this]);
    }
    return apply(listen, this, [type, listener, options]);
  };
  const attach = PageElement.prototype.attachShadow;
  PageElement.prototype.attachShadow = function attachShadow(init) {
    try {
      return apply(attach, this, [{ ...init, mode: 'open' }]);
    } catch {
      return apply(attach, this, [init]); // e.g. a component that takes up a closed root written in its page's HTML
    }
  };
  const answer = (name, question) => {
    const asked = (event) => {
      apply(stop, event, []);
      if (question(event)) apply(cancel, event, []);
    };
    const heard = [name, asked, true];
    apply(listen, window, heard);
    questions[questions.length] = heard;
  };
  const questions = [];
  const hears = (set, names) => (event) => {
    const element = apply(pathOf, event, [])[0];
    if (apply(weakHas, set, [element])) return true;
    for (let i = 0; i < names.length; i++) if (element[names[i]]) return true;
    return false;
  };
  answer(KEY, hears(listeners, handlers));
  answer(KEY + '-presses', hears(pressed, pressHandlers));

  // Opening a document anew, which writing to a finished one does too, takes every listener off its window: ours return.
  const page = document;
  const rewriting = ['open', 'write', 'writeln'];
  for (let i = 0; i < rewriting.length; i++) {
    const original = Document.prototype[rewriting[i]];
    Document.prototype[rewriting[i]] = function (...values) {
      try {
        return apply(original, this, values);
      } finally {
        if (this === page) for (let k = 0; k < questions.length; k++) apply(listen, window, questions[k]);
      }
    };
  }

  // ---- new windows: they are announced to the outside a little later
  let opened = false;
  const open = window.open;
  window.open = function (...values) {
    const target = `${values[1] ?? ''}`;
    if (target !== '_self' && target !== '_top' && target !== '_parent') opened = true;
    return apply(open, window, values);
  };
  answer(KEY + '-opened', () => {
    const answered = opened;
    opened = false;
    return answered;
  });

  // ---- what is under way: young requests of scripts, and short one-shot timers at most two deep (so polling never counts)
  const SHORT = 400;
  const DEEPEST = 2;
  const YOUNG = 1500; // ms; what takes longer is streaming or polling, and would hold up every look at the page
  const { performance } = window;
  const { now } = Performance.prototype;
  const clock = () => apply(now, performance, []);
  const setForEach = Set.prototype.forEach;
  const timers = new Set();
  const requests = new Set();
  let depth = 0;
  const awaited = () => {
    let found = false;
    const oldest = clock() - YOUNG;
    apply(setForEach, requests, [(request) => (found = found || request.begun > oldest)]);
    return found;
  };
  answer(KEY + '-busy', () => apply(sizeOf, timers, []) > 0 || awaited());

  const later = window.setTimeout;
  const clear = window.clearTimeout;
  let called = false;
  function setTimeout(...values) {
    called = true;
    const callback = values[0]; // neither taken apart nor spread: both would ask the page's array iterator
    const delay = values[1];
    if (typeof callback !== 'function') return apply(later, window, values);
    const own = depth + 1;
    values[0] = function (...given) {
      apply(setDelete, timers, [id]);
      const outer = depth;
      depth = own;
      try {
        return apply(callback, this, given);
      } finally {
        depth = outer;
      }
    };
    const id = apply(later, window, values);
    if (own <= DEEPEST && !(delay > SHORT)) apply(setAdd, timers, [id]);
    return id;
  }
  window.setTimeout = setTimeout;
  window.clearTimeout = function clearTimeout(id) {
    apply(setDelete, timers, [id]);
    return apply(clear, window, [id]);
  };

  // A page may put its own function in this place. Most call on; one try tells, for each that is met.
  let tried = setTimeout;
  let reaches = true;
  answer(KEY + '-sound', () => {
    if (window.setTimeout === tried) return reaches;
    tried = window.setTimeout;
    called = false;
    try {
      apply(tried, window, [() => {}, 0]);
    } catch {
      // then it is of no use to the page either
    }
    reaches = called;
    return reaches;
  });

  const begin = () => {
    const request = { begun: clock() };
    apply(setAdd, requests, [request]);
    return () => apply(later, window, [() => apply(setDelete, requests, [request]), 0]); // after the page's own handlers
  };
  const { then } = Promise.prototype;
  const request = window.fetch;
  window.fetch = function fetch(...values) {
    const reply = apply(request, window, values);
    const ended = begin();
    try {
      apply(then, reply, [ended, ended]);
    } catch {
      ended(); // the page broke promises
    }
    return reply;
  };
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...values) {
    const ended = begin();
    apply(listen, this, ['loadend', ended, { once: true }]);
    try {
      return apply(send, this, values);
    } catch (error) {
      ended();
      throw error;
    }
  };
})();
