// Where on the page a secret can be read: a selector engine of Playwright's that, like the walker, lives in an isolated
// world, so that no script of the page learns what is looked for.
//
//   refutesightings={"values": ["…"]}     the answer is JSON: {"boxes": [[left, top, width, height], …]}
//
// `"via": "attribute"` puts the answer on the document's root instead of on a new element, as in js/engine.js.
// White space and case do not count, and a text may be spread over several elements.
(() => {
  const IGNORED = /[\s\u00ad\u200b-\u200d\u2060]/g;
  const plain = (text) => text.replace(IGNORED, '').toLowerCase();
  const shadowOf = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot').get;
  const rectOf = (element) => Reflect.apply(Element.prototype.getBoundingClientRect, element, []);

  /** All text below `root` as one string of plain characters, with the node and the offset of each. */
  function read(root, text) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.ELEMENT_NODE) {
        const shadow = Reflect.apply(shadowOf, node, []);
        if (shadow) read(shadow, text);
        if (/^(input|textarea|select)$/.test(node.localName)) text.fields.push(node);
        continue;
      }
      for (let i = 0; i < node.data.length; i++) {
        for (const character of plain(node.data[i])) {
          text.characters.push(character);
          text.places.push([node, i]);
        }
      }
    }
    return text;
  }

  function shownIn(field) {
    const chosen = field.localName === 'select' && field.selectedIndex >= 0 ? field.options[field.selectedIndex].label : '';
    return plain(`${field.type === 'password' ? '' : field.value}\n${field.placeholder || ''}\n${chosen}`);
  }

  function sightings({ values }) {
    const wanted = values.map(plain);
    const { characters, places, fields } = read(document, { characters: [], places: [], fields: [] });
    const boxes = fields.filter((field) => wanted.some((value) => shownIn(field).includes(value))).map(rectOf);
    const all = characters.join('');
    for (const value of wanted) {
      for (let at = all.indexOf(value); at >= 0; at = all.indexOf(value, at + 1)) {
        const range = document.createRange();
        const [last, end] = places[at + value.length - 1];
        range.setStart(...places[at]);
        range.setEnd(last, end + 1);
        boxes.push(...range.getClientRects());
      }
    }
    return boxes.filter((box) => box.width > 0 && box.height > 0).map((box) => [box.left, box.top, box.width, box.height]);
  }

  function queryAll(root, body) {
    const command = JSON.parse(body);
    let result;
    try {
      result = { boxes: sightings(command) };
    } catch (error) {
      result = { error: String(error) };
    }
    const carrier = command.via === 'attribute' ? document.documentElement : document.createElement('i');
    if (command.via === 'attribute') carrier.setAttribute('__REFUTE_ANSWER__', JSON.stringify(result));
    else carrier.textContent = JSON.stringify(result);
    return [carrier];
  }

  return { query: (root, body) => queryAll(root, body)[0], queryAll };
})()
