// Whether this document has come to rest. The question is asked from outside, again and again: a wait that lived in the
// page would end with every navigation.
import { dispatch } from './dom.js';

/** The attribute of the fallback channel (engine.js); its changes are ours, not the page's. */
export const ANSWER = 'data-refute-answer';

/**
 * `pulse()` says for how many milliseconds the document has been quiet; `watch(root)` includes a shadow root; `version()`
 * grows whenever the document changed.
 */
export function createActivity(key) {
  let last = performance.now();
  let version = 0;
  const watched = new WeakSet();
  const note = (records) => {
    if (!records.some((record) => record.attributeName !== ANSWER)) return;
    last = performance.now();
    version++;
  };
  const observer = new MutationObserver(note);
  const watch = (root) => {
    if (watched.has(root)) return;
    watched.add(root);
    version++; // a shadow root that is attached is no mutation
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  };
  watch(document);
  return {
    watch,
    version() {
      note(observer.takeRecords());
      return version;
    },
    pulse() {
      note(observer.takeRecords());
      // page.js cancels an event for yes; busy = a short timer or a young request of the page's scripts is under way
      const ask = (question) => !dispatch(document, new Event(key + question, { cancelable: true }));
      const opened = ask('-opened');
      if (ask('-busy')) last = performance.now();
      const loading = document.readyState === 'loading';
      return { quiet: performance.now() - last, loading, opened, born: performance.timeOrigin, sound: ask('-sound') };
    },
  };
}
