// The walk: from the body down through what is drawn inside the viewport, writing it and numbering targets.
//
// Boxes decide. `clip` is the part of the viewport that an element's content can be seen through (the viewport, this
// frame's visible part, and every overflow box on the way down; see clips.js for what escapes). An element outside it is
// not written, but something inside it may still stick out, so `lookBeyond` goes on through its descendants by boxes
// alone.
import { clipFor, clipsInside, isHiddenBeyond } from './clips.js';
import { isClosed } from './closed.js';
import {
  attr,
  drawnNodes,
  elementCount,
  firstElement,
  firstNode,
  hasAttr,
  intersect,
  isForm,
  isInside,
  isShown,
  isSvg,
  meets,
  nextElement,
  rectOf,
  rootOf,
  shadowOf,
  tagOf,
} from './dom.js';
import { frameGeometry, mapped, nameOfCover } from './frames.js';
import { isDrawing } from './shapes.js';
import { guessedName } from './guess.js';
import { nearPart, isFar, skipsContents } from './shortcuts.js';
import { nameOf, roleOf } from './names.js';
import { describe } from './states.js';
import { structure } from './structure.js';
import { furtherOf, isNamedItself, isOnePiece, targetName, wordFor } from './targetline.js';
import { coverOf, isLink, reasonOf } from './targets.js';
import { cut, squash, visibleText } from './text.js';

const words = (text) => new Set(text.split(' '));
const SKIPPED = words('script style noscript template head meta link title base param source track datalist br wbr optgroup defs');
const NEVER_COVERED = words('scroll closed');
// What an element passes down to its children:
//   skips     something above may leave its contents unrendered (closed details, content-visibility)
//   pointer   the parent's cursor is already a pointer; cursor: some special cursor is set above
//   inTarget  inside a target; inMark: inside one that can be named; both keep drawn shapes from being listed twice
//   faint     opacity 0 above: only what can still be hit counts
//   quiet     the text is already part of a name: list targets only, all on one line
//   row       inside a table row: all on one line
//   fixed, absolute   the clips of descendants with that position; view: that of the top layer
const TOP = { skips: false, pointer: false, cursor: false, inTarget: false, inMark: false, faint: false, quiet: false, row: false };

export class Walk {
  /**
   * `matrix` maps this frame's viewport to the page's; `covers` lie over this frame; `wholePage`: nothing scrolls away.
   * `doubted`: the targets that something may lie over (overlaps.js); null = any.
   */
  constructor({ writer, registry, listens, clip, shortcuts, matrix, covers, wholePage, onShadow, doubted = null }) {
    Object.assign(this, { writer, registry, listens, clip, shortcuts, matrix, covers, wholePage, onShadow, doubted });
    this.believed = new Map(); // targets that were not doubted, with the part of them that can be seen
    this.visited = new Set();
    this.leaves = new Set();
    this.shadows = new Set();
    this.frames = [];
    this.elements = [];
    this.first = null; // first and last listed target of the document itself, for the counts above and below
    this.last = null;
    this.cutCorners = false;
    this.hidesMore = false; // something in view can be scrolled
  }

  start(element, depth = 0) {
    const { clip } = this;
    this.element(element, clip, depth, { ...TOP, view: clip, fixed: clip, absolute: clip });
    this.writer.end(depth);
  }

  /** One element and what is in it. `depth` is the indentation of lines. */
  element(e, outer, depth, context, known = null) {
    const tag = tagOf(e);
    if (this.visited.has(e)) return;
    if (SKIPPED.has(tag)) {
      if (tag === 'br') this.writer.text(' ');
      return;
    }
    // what content-visibility skips has no layout, and asking for its box would force one
    if (context.skips && !isShown(e, { contentVisibilityAuto: !this.wholePage })) return;
    const box = known || rectOf(e);
    if (!box.width && !box.height && !isShown(e)) {
      if (getComputedStyle(e).display === 'contents') this.inside(e, outer, depth, context);
      return;
    }
    const clip = clipFor(e, box, outer, context);
    if (!clip) {
      this.lookBeyond(e, box, outer, depth, context);
      return;
    }
    this.visited.add(e);
    this.seen(e, tag, box, clip, depth, context);
  }

  /** An element in view; `byInside`: only something inside it is. */
  seen(e, tag, box, clip, depth, context, byInside = false) {
    const style = getComputedStyle(e);
    const { own, inner, scrolls, fixed, absolute } = clipsInside(e, style, box, clip, context, this.wholePage);
    const hidden = style.visibility !== 'visible';
    if (hidden || (box.width < 1 && box.height < 1)) {
      this.inside(e, inner, depth, { ...context, hidden, fixed, absolute });
      return;
    }
    if (tag === 'iframe' || tag === 'frame') {
      this.frame(e, box, own, style, depth);
      return;
    }
    if (scrolls) this.hidesMore = true;
    let reason = reasonOf(e, style, context, scrolls, this.listens);
    let cover = null;
    if (reason && !NEVER_COVERED.has(reason) && !isFlat(e, box, reason, style) && tag !== 'option' && !byInside) {
      if (!this.doubted || this.doubted.has(e)) cover = coverOf(e, own, this.covers);
      else this.believed.set(e, own);
      const unreachable = cover instanceof Node && cover !== e && isInside(e, cover); // its own ancestor takes the hit
      if (cover && (style.opacity === '0' || context.faint || unreachable)) reason = cover = '';
    }
    if (!reason && isClosed(e, tag, style)) reason = 'closed';
    const drawing = tag === 'svg' && isDrawing(e, box);
    const faint = context.faint || style.opacity === '0';
    const pass = {
      ...context,
      fixed,
      absolute,
      hidden: style.contentVisibility === 'hidden',
      skips: context.skips || style.contentVisibility !== 'visible' || (tag === 'details' && !e.open),
      pointer: style.cursor === 'pointer',
      cursor: style.cursor !== 'auto',
      inTarget: context.inTarget || Boolean(reason && !drawing && reason !== 'scroll' && reason !== 'listener'),
      inMark: context.inMark || (!drawing && ['native', 'role', 'pointer'].includes(reason)),
    };
    const it = { e, tag, box, style, own, clip: inner, scrolls, depth, pass, inline: isInline(e, tag, style) };
    if (reason) this.target(it, reason, cover, context);
    else if (faint) this.inside(e, it.clip, depth, { ...pass, faint: true });
    else structure(this, it, context);
  }

  /** A frame's line; its own lines are put below it by the caller, who can reach the other document. */
  frame(e, box, clip, style, depth) {
    const geometry = frameGeometry(e, box, clip, style, this.registry.known);
    if (!geometry) return;
    const id = this.registry.idOf(e);
    const name = squash(attr(e, 'title') || attr(e, 'name') || '').trim();
    const inner = this.writer.frame(depth, id, name);
    this.frames.push({ id, line: this.writer.count - 1, depth: inner, ...geometry });
    this.writer.end(depth);
    this.record(id, e, 'iframe', name, { value: null, options: [], states: [] }, clip);
  }

  target(it, reason, cover, context) {
    const { e, tag, depth, pass, clip } = it;
    const role = isSvg(e) && !hasAttr(e, 'role') ? '' : roleOf(e);
    const self = isNamedItself(tag, role, reason);
    const leaf = self || context.quiet || (reason !== 'scroll' && isOnePiece(e, tag, reason, this.listens, it.box));
    const given = targetName(e, role, reason, self, leaf);
    const name = given || (reason === 'label' || isForm(e) ? '' : guessedName(e, tag, role));
    const id = this.registry.idOf(e);
    const subject = reason === 'label' ? e.control : e; // a label stands in for a control that cannot be seen
    const facts = describe(subject, reason === 'label' ? roleOf(subject) : role, name);
    const label = reason === 'label' ? roleOf(subject) || 'label' : wordFor(e, tag, role, reason);
    if (name !== given) facts.notes.push(['guessed name']);
    if (cover) facts.states.push('covered');
    if (reason === 'closed') facts.notes.push(['closed shadow root']);
    this.record(id, e, label, name, facts, it.own, name !== given);
    const further = furtherOf(it, { name, reason, leaf, place: this.place(it.box) });
    const target = { id, role: label, name, facts, ...further, cover: this.coverName(cover, e) };
    const inline = context.quiet || it.inline || context.row;
    if (leaf) this.leaves.add(e);
    const inner = this.writer.target(depth, target, { inline, leaf });
    const count = this.writer.count;
    const goesOn = leaf && self && firstElement(e) && tag !== 'select' && reason !== 'closed';
    if (goesOn) this.inside(e, clip, inner, { ...pass, quiet: true });
    else if (!leaf) this.inside(e, clip, inner, { ...pass, inTarget: false });
    if (!leaf) this.writer.endTarget(depth, count);
    else if (inner !== depth) this.writer.end(depth);
  }

  coverName(cover, e) {
    if (!cover) return '';
    if (cover === e) return 'nothing';
    return cover instanceof Node ? nameOfCover(cover, this.registry.known(cover)) : cover.name;
  }

  /** Left, top, width and height of a box in the page's viewport. */
  place(box) {
    const [left, top, right, bottom] = mapped(this.matrix, box);
    return [left, top, right - left, bottom - top].map(Math.round);
  }

  record(id, e, role, name, facts, clip, guessed = false) {
    const box = rectOf(e);
    const [left, top, right, bottom] = intersect(clip, box.left, box.top, box.right, box.bottom);
    this.elements.push({
      id,
      role,
      name: cut(name, 200),
      guessed,
      value: facts.value,
      options: facts.options,
      states: facts.states,
      box: this.place(box),
      visible: right > left && bottom > top ? this.place({ left, top, right, bottom }) : [0, 0, 0, 0],
    });
    if (rootOf(e) === document) {
      this.first = this.first || e;
      this.last = e;
    }
  }

  // ---- going on

  inside(e, clip, depth, context) {
    const shadow = shadowOf(e);
    if (shadow) {
      this.shadows.add(shadow);
      this.onShadow(shadow);
    }
    const part = this.shortcuts && !shadow ? nearPart(e, clip) : null;
    if (part) this.cutCorners = true;
    for (const node of part || drawnNodes(e)) {
      if (node.nodeType === Node.ELEMENT_NODE) this.element(node, clip, depth, context);
      else if (node.nodeType === Node.TEXT_NODE && !context.quiet && !context.hidden && !context.faint) this.text(node, clip);
    }
  }

  text(node, clip) {
    if (/\S/.test(node.data)) this.writer.text(visibleText(node, clip));
    else if (node.data) this.writer.gap();
  }

  /** Nothing of the element's own box is in view, but something in it may stick out: look at boxes only. */
  lookBeyond(e, box, clip, depth, context) {
    const shadow = shadowOf(e) || tagOf(e) === 'slot';
    const flat = box.width < 1 || box.height < 1;
    if (!firstElement(e) && !shadow) {
      if (flat && firstNode(e)) this.inside(e, clip, depth, context);
      return;
    }
    if (this.shortcuts && !flat && isFar(box, clip)) {
      this.cutCorners = true;
      return;
    }
    if (elementCount(e) > 8 && skipsContents(getComputedStyle(e))) {
      this.cutCorners = true;
      return;
    }
    if (shadow || flat) {
      this.inside(e, clip, depth, context);
      return;
    }
    for (let child = firstElement(e); child; child = nextElement(child)) {
      if (!SKIPPED.has(tagOf(child))) this.childBeyond(e, child, box, clip, depth, context);
    }
  }

  /** A child of an element out of view. */
  childBeyond(e, child, box, clip, depth, context) {
    const inner = rectOf(child);
    const found = (inner.width || inner.height) && clipFor(child, inner, clip, context);
    if (found) {
      if (isHiddenBeyond(child, this.visited)) return;
      if (isLink(e) && !this.visited.has(e)) {
        this.visited.add(e); // e.g. a picture higher than the line of the link around it
        this.seen(e, tagOf(e), box, clip, depth, context, true);
        return;
      }
      this.element(child, clip, depth, context, inner);
    } else if (firstNode(child)) {
      const gone = !inner.width && !inner.height && !isShown(child) && getComputedStyle(child).display !== 'contents';
      if (!gone) this.lookBeyond(child, inner, clip, depth, context);
    }
  }
}

/** A widget that takes keys, has no room of its own, and shows what is inside it all the same. */
function isFlat(e, box, reason, style) {
  const flat = box.width < 1 || box.height < 1;
  return flat && (reason === 'role' || reason === 'focus') && style.overflowY === 'visible' && firstElement(e) !== null;
}

function isInline(e, tag, style) {
  if (['inline', 'inline-block', 'inline-flex', 'contents'].includes(style.display)) return true;
  return isSvg(e) && tag !== 'svg';
}
