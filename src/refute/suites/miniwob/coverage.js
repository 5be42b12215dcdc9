// The interactive elements in view, by the page's own knowledge, and those among them that no listed box stands for.
//
// A box stands for an element when it is the element's own, or when a click in its middle lands in the element.
async (boxes) => {
  const native = 'a[href],button,input:not([type=hidden]),select,textarea,summary';
  const reasons = (e) => {
    const style = getComputedStyle(e);
    const parent = e.parentElement;
    const events = ['onclick', 'onmousedown', 'onmouseup', 'ondblclick', 'ondragstart', 'onpointerdown'];
    return [
      e.matches(native) && 'native',
      refuteListening(e) && 'listener',
      events.some((name) => e[name]) && 'on*',
      e.hasAttribute('tabindex') && e.tabIndex >= 0 && 'tabindex',
      e.getAttribute('draggable') === 'true' && 'draggable',
      e.isContentEditable && !(parent && parent.isContentEditable) && 'contenteditable',
      style.cursor === 'pointer' && !(parent && getComputedStyle(parent).cursor === 'pointer') && 'pointer',
    ].filter(Boolean);
  };
  const drawn = ({ width, height }) => width >= 1 || height >= 1;
  const shown = (e) =>
    drawn(e.getBoundingClientRect()) &&
    e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && getComputedStyle(e).pointerEvents !== 'none';
  const candidates = [...document.body.querySelectorAll('*')].filter((e) => shown(e) && reasons(e).length);
  const seen = await new Promise((resolve) => {
    if (!candidates.length) resolve([]);
    const observer = new IntersectionObserver((entries) => {
      observer.disconnect();
      const inView = ({ isIntersecting, intersectionRect: r }) => isIntersecting && r.width >= 1 && r.height >= 1;
      resolve(entries.filter(inView).map((entry) => entry.target));
    });
    for (const e of candidates) observer.observe(e);
  });
  const hits = boxes.map(([left, top, width, height]) => {
    const middle = [Math.min(left + width / 2, innerWidth - 1), Math.min(top + height / 2, innerHeight - 1)];
    return document.elementFromPoint(Math.max(middle[0], 0), Math.max(middle[1], 0));
  });
  const own = (r, [left, top, width, height]) =>
    Math.abs(r.left - left) <= 1.5 && Math.abs(r.top - top) <= 1.5 && Math.abs(r.width - width) <= 2 && Math.abs(r.height - height) <= 2;
  const named = (e) => hits.some((hit) => e.contains(hit)) || boxes.some((box) => own(e.getBoundingClientRect(), box));
  const tell = (e) => {
    const r = e.getBoundingClientRect();
    const text = e.textContent.trim().slice(0, 40);
    return { tag: e.localName, id: e.id, text, why: reasons(e).join(', '), box: [r.left, r.top, r.width, r.height].map(Math.round) };
  };
  return { interactive: seen.length, missed: seen.filter((e) => !named(e)).map(tell) };
}
