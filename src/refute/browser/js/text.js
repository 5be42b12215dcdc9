// Text: white space, quoting, and the part of a long text that lies inside the clip.

/** One line: every run of white space and of icon-font glyphs becomes a space. */
export const squash = (text) => text.replace(/[\s\u200b\ue000-\uf8ff]+/g, ' ');
export const cut = (text, most) => (text.length > most ? text.slice(0, most - 1) + '…' : text);
export const quote = (text) => '"' + text.replace(/"/g, "'") + '"';

const LONG = 200; // characters; shorter texts are shown whole when any line of theirs is in view

/** What of a text node lies inside the clip: '' = nothing of it. */
export function visibleText(node, clip) {
  const range = document.createRange();
  range.selectNodeContents(node);
  const box = range.getBoundingClientRect();
  const outside = box.bottom <= clip[1] || box.top >= clip[3] || box.right <= clip[0] || box.left >= clip[2];
  if (outside || (box.width < 1 && box.height < 1)) return '';
  const sticksOut = box.top < clip[1] - 4 || box.bottom > clip[3] + 4;
  return squash(node.data.length > LONG && sticksOut ? visibleLines(node, clip, range) : node.data);
}

/** The lines of a long text node that are in view, found by halving (characters run downwards). */
function visibleLines(node, clip, range) {
  const text = node.data;
  const boxAt = (index) => {
    let box;
    for (let i = index; i < text.length && i < index + 24; i++) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      box = range.getBoundingClientRect();
      if (box.height) return box; // collapsed white space has none: look a little further
    }
    return box;
  };
  const first = (holds, end) => {
    let low = 0;
    let high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      const box = boxAt(middle);
      if (box && holds(box)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const start = first((box) => box.bottom > clip[1] + 1, text.length - 1);
  const end = first((box) => box.top >= clip[3] - 1, text.length);
  const word = start > 0 ? text.lastIndexOf(' ', start) + 1 : 0;
  return (word > 0 ? '…' : '') + text.slice(word, end) + (end < text.length ? '…' : '');
}
