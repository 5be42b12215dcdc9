// Runs before the page's scripts, for the coverage only: marks every element that scripts listen to.
(() => {
  const telling = new Set(['click', 'dblclick', 'mousedown', 'mouseup', 'pointerdown', 'touchstart', 'dragstart']);
  const listen = EventTarget.prototype.addEventListener;
  const listening = new WeakSet();
  window.refuteListening = (element) => listening.has(element);
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (telling.has(type) && this instanceof Element) listening.add(this);
    return listen.call(this, type, ...rest);
  };
})();
