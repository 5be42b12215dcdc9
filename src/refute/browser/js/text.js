// Text: white space, quoting, and the part of a long text that lies inside the clip.

/**
 * Written before the number of an element, and nowhere else: so a reader can tell our `[12]` from a page's. Page text
 * cannot hold it, since `squash` takes out its whole range.
 */
export const MARK = '\ue000';
export const mark = (id) => `${MARK}[${id}]`;

/** One line: every run of white space, control and icon-font characters becomes a space. */
export const squash = (text) => text.replace(/[\s\u0000-\u001f\u007f-\u009f\u200b\ue000-\uf8ff]+/g, ' ');
export const cut = (text, most) => (text.length > most ? text.slice(0, most - 1) + '…' : text);

/** A value on one line: its line ends stay visible. */
const oneLine = (text) => squash(text.replace(/\r?\n/g, '\\n'));
export const quote = (text) => '"' + oneLine(text).replace(/"/g, "'") + '"';
/** As the papers' trees quote: single quotes, backslashes before what would end the text. */
export const quoteInTree = (text) => "'" + oneLine(text.replace(/[\\']/g, '\\$&')) + "'";

const LONG = 200; // characters; shorter texts are shown whole when any line of theirs is in view
const SLACK = 4; // pixels that a text may stick out without being cut

// The edges that lines of text pass in reading order, by the direction in which they follow each other.
const DOWN = { near: (box) => box.top, far: (box) => box.bottom, from: (clip) => clip[1], to: (clip) => clip[3] };
const RIGHT = { near: (box) => box.left, far: (box) => box.right, from: (clip) => clip[0], to: (clip) => clip[2] };
const LEFT = { near: (box) => -box.right, far: (box) => -box.left, from: (clip) => -clip[2], to: (clip) => -clip[0] };

function flowOf(node) {
  const mode = getComputedStyle(node.parentElement || node.getRootNode().host).writingMode;
  if (mode === 'vertical-rl' || mode === 'sideways-rl') return LEFT;
  return mode === 'vertical-lr' || mode === 'sideways-lr' ? RIGHT : DOWN;
}

/** What of a text node lies inside the clip: '' = nothing of it. */
export function visibleText(node, clip) {
  const range = document.createRange();
  range.selectNodeContents(node);
  const box = range.getBoundingClientRect();
  const outside = box.bottom <= clip[1] || box.top >= clip[3] || box.right <= clip[0] || box.left >= clip[2];
  if (outside || (box.width < 1 && box.height < 1)) return '';
  if (node.data.length <= LONG) return squash(node.data);
  const flow = flowOf(node);
  const sticksOut = flow.near(box) < flow.from(clip) - SLACK || flow.far(box) > flow.to(clip) + SLACK;
  return squash(sticksOut ? visibleLines(node, clip, range, flow) : node.data);
}

/** The lines of a long text node that are in view, found by halving (lines follow each other in one direction). */
function visibleLines(node, clip, range, flow) {
  const text = node.data;
  const boxAt = (index) => {
    let box;
    for (let i = index; i < text.length && i < index + 24; i++) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      box = range.getBoundingClientRect();
      if (box.height && box.width) return box; // collapsed white space has none: look a little further
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
  const start = first((box) => flow.far(box) > flow.from(clip) + 1, text.length - 1);
  const end = first((box) => flow.near(box) >= flow.to(clip) - 1, text.length);
  const word = start > 0 ? text.lastIndexOf(' ', start) + 1 : 0;
  return (word > 0 ? '…' : '') + text.slice(word, end) + (end < text.length ? '…' : '');
}
