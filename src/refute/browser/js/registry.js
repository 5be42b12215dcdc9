// Numbers for elements. A number belongs to one element for as long as that element exists, and to no other, ever.

/** `idOf(element)` gives or recalls a number; `get(id)` finds a connected element, or null. */
export function createRegistry() {
  const ids = new WeakMap();
  const elements = new Map();
  const gone = new FinalizationRegistry((id) => elements.delete(id)); // else every number ever given would stay
  let next = 1;
  return {
    /** Numbers below `least` are taken by other frames and documents. */
    startAt(least) {
      if (least > next) next = least;
    },
    next: () => next,
    /** How many numbers are held. */
    size: () => elements.size,
    known: (element) => ids.get(element),
    idOf(element) {
      let id = ids.get(element);
      if (!id) {
        id = next++;
        ids.set(element, id);
        elements.set(id, new WeakRef(element));
        gone.register(element, id);
      }
      return id;
    },
    get(id) {
      const held = elements.get(id);
      const element = held && held.deref();
      return element && element.isConnected ? element : null;
    },
  };
}
