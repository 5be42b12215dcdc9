// The walk: from the body down through what is drawn inside the viewport, writing lines and numbering targets.
//
// Boxes decide. `clip` is the part of the viewport that an element's content can be seen through (the viewport, this
// frame's visible part, and every overflow box on the way down). An element outside it is not written, but something
// inside it may still stick out, so `lookBeyond` goes on through its descendants by boxes alone.
import {
  attr,
  drawnNodes,
  firstElement,
  firstNode,
  hasAttr,
  intersect,
  isInside,
  isShown,
  isSvg,
  elementCount,
  meets,
  nextElement,
  rectOf,
  rootOf,
  shadowOf,
  tagOf,
} from './dom.js';
import { nearPart, isFar, skipsContents } from './shortcuts.js';
import { levelOf, nameOf, roleOf } from './names.js';
import { describe } from './states.js';
import { isNamedItself, isOnePiece, targetLine, targetName, wordFor } from './targetline.js';
import { coverOf, isLink, reasonOf } from './targets.js';
import { cut, quote, squash, visibleText } from './text.js';

const words = (text) => new Set(text.split(' '));
const SKIPPED = words('script style noscript template head meta link title base param source track datalist br wbr optgroup defs');
const STRUCTURE = words(
  'img svg h1 h2 h3 h4 h5 h6 tr li ul ol table nav main header footer aside form section dialog fieldset article figure ' +
    'progress meter details search menu output',
);
const REGIONS = words(
  'banner complementary contentinfo form main navigation region search dialog alertdialog alert menu menubar tablist ' +
    'toolbar tree grid listbox radiogroup group tabpanel status log table list article figure',
);
const ONLY_IF_NAMED = words('form region list group table article figure');
// What an element passes down to its children:
//   skips     something above may leave its contents unrendered (closed details, content-visibility)
//   pointer   the parent's cursor is already a pointer; cursor: some special cursor is set above
//   inTarget  inside a target; inMark: inside one that can be named; both keep drawn shapes from being listed twice
//   faint     opacity 0 above: only what can still be hit counts
//   quiet     the text is already part of a name: list targets only, all on one line
//   row       inside a table row: all on one line
const TOP = { skips: false, pointer: false, cursor: false, inTarget: false, inMark: false, faint: false, quiet: false, row: false };

export class Walk {
  constructor({ lines, registry, listens, clip, shortcuts, offset, onShadow }) {
    Object.assign(this, { lines, registry, listens, clip, shortcuts, offset, onShadow });
    this.visited = new Set();
    this.leaves = new Set();
    this.frames = [];
    this.elements = [];
    this.first = null; // first and last listed target of the document itself, for the counts above and below
    this.last = null;
    this.cutCorners = false;
  }

  start(element) {
    this.element(element, this.clip, 0, TOP);
    this.lines.flush(0);
  }

  /** One element and what is in it. `depth` is the indentation of lines. */
  element(e, clip, depth, context, known = null) {
    const tag = tagOf(e);
    if (this.visited.has(e)) return;
    if (SKIPPED.has(tag)) {
      if (tag === 'br') this.lines.add(' ');
      return;
    }
    // what content-visibility skips has no layout, and asking for its box would force one
    if (context.skips && !isShown(e, { contentVisibilityAuto: true })) return;
    const box = known || rectOf(e);
    if (!box.width && !box.height && !isShown(e)) {
      if (getComputedStyle(e).display === 'contents') this.inside(e, clip, depth, context);
      return;
    }
    if (!meets(box, clip)) {
      this.lookBeyond(e, box, clip, depth, context);
      return;
    }
    this.visited.add(e);
    this.seen(e, tag, box, clip, depth, context);
  }

  /** An element in view; `byInside`: only something inside it is. */
  seen(e, tag, box, clip, depth, context, byInside = false) {
    const style = getComputedStyle(e);
    const overflow = this.overflowOf(e, style, box, clip);
    const hidden = style.visibility !== 'visible';
    if (hidden || (box.width < 1 && box.height < 1)) {
      this.inside(e, overflow.clip, depth, { ...context, hidden });
      return;
    }
    if (tag === 'iframe' || tag === 'frame') {
      this.frame(e, box, clip, depth);
      return;
    }
    let reason = reasonOf(e, style, context, overflow.scrolls, this.listens);
    let cover = null;
    if (reason && reason !== 'scroll' && tag !== 'option' && !byInside) {
      cover = coverOf(e, clip);
      const unreachable = cover && cover !== e && isInside(e, cover); // its own ancestor takes the hit
      if (cover && (style.opacity === '0' || context.faint || unreachable)) reason = cover = '';
    }
    const faint = context.faint || style.opacity === '0';
    const pass = {
      ...context,
      hidden: style.contentVisibility === 'hidden',
      skips: context.skips || style.contentVisibility !== 'visible' || (tag === 'details' && !e.open),
      pointer: style.cursor === 'pointer',
      cursor: style.cursor !== 'auto',
      inTarget: context.inTarget || Boolean(reason && reason !== 'scroll' && reason !== 'listener'),
      inMark: context.inMark || ['native', 'role', 'pointer'].includes(reason),
    };
    const it = { e, tag, box, style, clip: overflow.clip, scrolls: overflow.scrolls, depth, pass, inline: isInline(e, tag, style) };
    if (reason) this.target(it, reason, cover, context);
    else if (faint) this.inside(e, it.clip, depth, { ...pass, faint: true });
    else this.structure(it, context);
  }

  /** The clip of an element's content, and how far it scrolls, as words. */
  overflowOf(e, style, box, clip) {
    const shows = style.overflowX === 'visible' && style.overflowY === 'visible';
    if (shows || style.display === 'inline' || tagOf(e) === 'body' || tagOf(e) === 'html') return { clip, scrolls: '' };
    const down = /auto|scroll/.test(style.overflowY) && e.scrollHeight > e.clientHeight + 2;
    const aside = /auto|scroll/.test(style.overflowX) && e.scrollWidth > e.clientWidth + 2;
    const above = Math.round(e.scrollTop);
    const below = Math.round(e.scrollHeight - e.clientHeight - e.scrollTop);
    return {
      clip: intersect(clip, box.left, box.top, box.right, box.bottom),
      scrolls: down || aside ? ` (scrolls: ${above}px above, ${below}px below)` : '',
    };
  }

  /** A frame's line; its own lines are put below it by the caller, who can reach the other document. */
  frame(e, box, clip, depth) {
    const left = box.left + e.clientLeft;
    const top = box.top + e.clientTop;
    const part = intersect(clip, left, top, left + e.clientWidth, top + e.clientHeight);
    if (part[2] <= part[0] || part[3] <= part[1]) return;
    const id = this.registry.idOf(e);
    const name = squash(attr(e, 'title') || attr(e, 'name') || '').trim();
    this.lines.flush(depth);
    this.lines.line(depth, `[${id}] iframe` + (name ? ' ' + quote(cut(name, 80)) : '') + ':');
    this.lines.flush(depth);
    this.frames.push({
      id,
      line: this.lines.count - 1,
      depth: depth + 1,
      left,
      top,
      clip: [part[0] - left, part[1] - top, part[2] - left, part[3] - top],
    });
    this.record(id, e, 'iframe', name, { value: null, options: [], states: [] });
  }

  // ---- what is no target: structure and text

  structure(it, context) {
    const { e, tag, depth, pass } = it;
    const role = hasAttr(e, 'role') || STRUCTURE.has(tag) ? roleOf(e) : '';
    if (tag === 'img' || (role === 'img' && (tag === 'svg' || !firstElement(e)))) {
      this.picture(it);
      return;
    }
    if (isSvg(e) && tag !== 'svg' && tag === 'title') return;
    if (role === 'progressbar' || role === 'meter') {
      if (!context.quiet) this.lines.add(` (${role} ${e.value ?? attr(e, 'aria-valuenow')}) `);
      return;
    }
    if (context.quiet) this.inside(e, it.clip, depth, pass);
    else if (role === 'heading') this.block(it, '#'.repeat(levelOf(e) || 2) + ' ', pass);
    else if (role === 'row') this.row(it);
    else if (role === 'listitem' && !context.row) this.block(it, '- ', pass);
    else if (REGIONS.has(role) && tag !== 'details' && !context.row && this.region(it, role)) return;
    else this.plain(it, context);
  }

  picture({ e, box, pass }) {
    if (pass.quiet || box.width <= 2 || box.height <= 2) return;
    const name = nameOf(e);
    if (name) this.lines.add(` (img ${quote(cut(name, 100))}) `);
  }

  block(it, prefix, pass) {
    this.lines.flush(it.depth, prefix);
    this.inside(it.e, it.clip, it.depth, pass);
    this.lines.flush(it.depth);
  }

  /** A region with a heading line of its own; false when it is not worth one. */
  region(it, role) {
    const { e, depth } = it;
    const unnamed =
      role === 'list' || role === 'article' || (role === 'table' && !hasAttr(e, 'aria-label') && !e.caption);
    const name = unnamed ? '' : nameOf(e);
    if (!name && ONLY_IF_NAMED.has(role)) return false;
    this.lines.flush(depth);
    this.lines.line(depth, role + (name ? ' ' + quote(cut(name, 80)) : '') + ':');
    const before = this.lines.count;
    this.lines.flush(depth + 1);
    this.inside(e, it.clip, depth + 1, it.pass);
    this.lines.flush(depth);
    if (this.lines.count === before) this.lines.dropLast(); // nothing of it is in view
    return true;
  }

  plain(it, context) {
    const { e, tag, depth, pass, style } = it;
    const flows = style.display === 'inline' || style.display === 'contents';
    if (it.inline || context.row) {
      if (!flows) this.lines.gap();
      this.inside(e, it.clip, depth, pass);
      if (!flows) this.lines.gap();
    } else if (tag === 'td' || tag === 'th') {
      this.inside(e, it.clip, depth, pass);
    } else {
      if (!this.lines.isBlank) this.lines.flush(depth);
      this.inside(e, it.clip, depth, pass);
      if (!this.lines.isBlank) this.lines.flush(depth);
    }
  }

  row({ e, clip, depth, pass }) {
    this.lines.flush(depth, '| ');
    let first = true;
    for (const cell of drawnNodes(e)) {
      if (cell.nodeType !== Node.ELEMENT_NODE) continue;
      if (!first) this.lines.add(' | ');
      this.element(cell, clip, depth, { ...pass, row: true });
      first = false;
    }
    if (/^[\s|]*$/.test(this.lines.buffer)) this.lines.buffer = ''; // no cell of it is in view
    this.lines.flush(depth);
  }

  // ---- targets

  target(it, reason, cover, context) {
    const { e, tag, depth, pass, clip } = it;
    const role = isSvg(e) && !hasAttr(e, 'role') ? '' : roleOf(e);
    const self = isNamedItself(tag, role, reason);
    const leaf = self || context.quiet || (reason !== 'scroll' && isOnePiece(e, tag, reason, this.listens));
    const name = targetName(e, role, reason, self, leaf);
    const id = this.registry.idOf(e);
    const subject = reason === 'label' ? e.control : e; // a label stands in for a control that cannot be seen
    const facts = describe(subject, reason === 'label' ? roleOf(subject) : role, name);
    const label = reason === 'label' ? roleOf(subject) || 'label' : wordFor(e, tag, role, reason);
    if (cover) facts.states.push('covered');
    this.record(id, e, label, name, facts);
    const place = this.place(it.box);
    const line = targetLine(it, { id, label, name, facts, reason, leaf, cover, place, known: this.registry.known });
    const sameLine = context.quiet || it.inline || context.row || (this.lines.prefix && !this.lines.buffer);
    if (leaf) this.leaves.add(e);
    const inner = leaf && self && firstElement(e) && tag !== 'select';
    if (leaf && sameLine) {
      this.lines.gap();
      this.lines.add(line + ' ');
      if (inner) this.inside(e, clip, depth, { ...pass, quiet: true });
      return;
    }
    this.lines.flush(depth);
    this.lines.line(depth, line + (leaf ? '' : ':'));
    this.lines.flush(depth + 1);
    const before = this.lines.count;
    if (inner) this.inside(e, clip, depth + 1, { ...pass, quiet: true });
    else if (!leaf) this.inside(e, clip, depth + 1, { ...pass, inTarget: false });
    this.lines.flush(depth);
    if (!leaf && this.lines.count === before) this.lines.amendLast((text) => text.replace(/:$/, ''));
  }

  place(box) {
    return [Math.round(box.left + this.offset[0]), Math.round(box.top + this.offset[1])];
  }

  record(id, e, role, name, facts) {
    const box = rectOf(e);
    this.elements.push({
      id,
      role,
      name: cut(name, 200),
      value: facts.value,
      options: facts.options,
      states: facts.states,
      box: [...this.place(box), Math.round(box.width), Math.round(box.height)],
    });
    if (rootOf(e) === document) {
      this.first = this.first || e;
      this.last = e;
    }
  }

  // ---- going on

  inside(e, clip, depth, context) {
    if (shadowOf(e)) this.onShadow(shadowOf(e));
    const part = this.shortcuts.seek && !shadowOf(e) ? nearPart(e, clip) : null;
    if (part) this.cutCorners = true;
    for (const node of part || drawnNodes(e)) {
      if (node.nodeType === Node.ELEMENT_NODE) this.element(node, clip, depth, context);
      else if (node.nodeType === Node.TEXT_NODE && !context.quiet && !context.hidden && !context.faint) this.text(node, clip);
    }
  }

  text(node, clip) {
    if (/\S/.test(node.data)) this.lines.add(visibleText(node, clip));
    else if (node.data) this.lines.gap();
  }

  /** Nothing of the element's own box is in view, but something in it may stick out: look at boxes only. */
  lookBeyond(e, box, clip, depth, context) {
    const shadow = shadowOf(e) || tagOf(e) === 'slot';
    const flat = box.width < 1 || box.height < 1;
    if (!firstElement(e) && !shadow) {
      if (flat && firstNode(e)) this.inside(e, clip, depth, context);
      return;
    }
    if (this.shortcuts.prune && !flat && isFar(box, clip)) {
      this.cutCorners = true;
      return;
    }
    if (elementCount(e) > 8 && skipsContents(getComputedStyle(e))) return;
    if (shadow || flat) {
      this.inside(e, clip, depth, context);
      return;
    }
    for (let child = firstElement(e); child; child = nextElement(child)) {
      if (SKIPPED.has(tagOf(child))) continue;
      const inner = rectOf(child);
      if (meets(inner, clip) && (inner.width || inner.height)) {
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
}

function isInline(e, tag, style) {
  if (['inline', 'inline-block', 'inline-flex', 'contents'].includes(style.display)) return true;
  return isSvg(e) && tag !== 'svg';
}
