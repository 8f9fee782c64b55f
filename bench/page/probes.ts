import type { Page } from '@playwright/test'

/**
 * Code that measures the page from within, as source text: compiled by the test runner it might call helpers that the
 * page does not have.
 */

/** Notes when the last message can be read, and when the first card of the graph is there. */
export const watchLoad = `
window.__seen = {};
(function look() {
  const seen = window.__seen;
  const articles = document.querySelectorAll('article[data-message-id]');
  const last = articles[articles.length - 1];
  if (!seen.thread && last && last.textContent.length > 20 && last.getBoundingClientRect().height > 0)
    seen.thread = performance.now();
  if (!seen.graph && document.querySelector('[role=tree] [role=treeitem]')) seen.graph = performance.now();
  if (!seen.thread || !seen.graph) requestAnimationFrame(look);
})();`

export interface Seen {
  thread: number
  graph: number
}

/** The messages of the map that a click in the middle of their marks hits. */
export const hittable = `
[...document.querySelectorAll('[role=treeitem][data-graph-node]')].filter((mark) => {
  const { left, top, width, height } = mark.getBoundingClientRect();
  return mark.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).map((mark) => mark.getAttribute('data-graph-node'))`

/** Notes how long each click takes until its effect is painted. */
export const watchClicks = `
window.__clicks = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.name === 'click') window.__clicks.push(entry.duration);
}).observe({ type: 'event', durationThreshold: 16, buffered: false });`

/** Notes how long each key takes until its effect is painted. */
export const watchKeys = `
window.__keys = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.name === 'keydown') window.__keys.push(entry.duration);
}).observe({ type: 'event', durationThreshold: 16, buffered: false });`

/** Turns the wheel over the graph with every frame, down and up again, and counts the frames. */
export const pan = (frames: number): string => `
new Promise((done) => {
  const pane = document.querySelector('.react-flow__pane');
  const { left, top, width, height } = pane.getBoundingClientRect();
  const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true };
  let frame = 0, began = 0, before = 0, longest = 0;
  requestAnimationFrame(function turn(now) {
    if (frame === 0) began = now; else longest = Math.max(longest, now - before);
    before = now;
    if (frame === ${frames}) return done({ fps: (frame * 1000) / (now - began), longest });
    const down = frame < ${frames} / 2 ? -1 : 1;
    pane.dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: 50 * down, deltaX: 8 * down }));
    frame++;
    requestAnimationFrame(turn);
  });
})`

/** Scrolls the outline with every frame, up and down again, and counts the frames. */
export const scroll = (frames: number): string => `
new Promise((done) => {
  let pane = document.querySelector('[role=tree]');
  while (pane && getComputedStyle(pane).overflowY !== 'auto') pane = pane.parentElement;
  pane.scrollTop = pane.scrollHeight;
  let frame = 0, began = 0, before = 0, longest = 0;
  requestAnimationFrame(function turn(now) {
    if (frame === 0) began = now; else longest = Math.max(longest, now - before);
    before = now;
    if (frame === ${frames}) return done({ fps: (frame * 1000) / (now - began), longest });
    pane.scrollTop += (frame < ${frames} / 2 ? -1 : 1) * 80;
    frame++;
    requestAnimationFrame(turn);
  });
})`

/** Steps along the history with every frame, back and forth again, and counts the frames. */
export const scrub = (frames: number): string => `
new Promise((done) => {
  const thumb = document.querySelector('[role=slider][aria-label=History]');
  let frame = 0, began = 0, before = 0, longest = 0;
  requestAnimationFrame(function turn(now) {
    if (frame === 0) began = now; else longest = Math.max(longest, now - before);
    before = now;
    if (frame === ${frames}) return done({ fps: (frame * 1000) / (now - began), longest });
    const key = frame < ${frames} / 2 ? 'ArrowLeft' : 'ArrowRight';
    thumb.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: frame % 10 === 0, bubbles: true, cancelable: true }));
    frame++;
    requestAnimationFrame(turn);
  });
})`

/** Notes which cards of the graph are touched from now on, and how often anything in it changes. */
export const watchGraph = `
(function () {
  const changes = { cards: new Set(), mutations: 0 };
  window.__changes = changes;
  new MutationObserver((records) => {
    for (const { target, addedNodes, removedNodes } of records) {
      changes.mutations++;
      for (const node of [target, ...addedNodes, ...removedNodes]) {
        if (!(node instanceof Element)) continue;
        const card = node.closest('.react-flow__node') ?? node.querySelector('.react-flow__node');
        if (card) changes.cards.add(card.getAttribute('data-id'));
      }
    }
  }).observe(document.querySelector('[role=tree]'), { subtree: true, childList: true, attributes: true, characterData: true });
})();`

export interface LoadedScript {
  name: string
  bytes: number
}

/** The scripts loaded so far, as they came over the wire. */
export const loadedScripts = (page: Page): Promise<LoadedScript[]> =>
  page.evaluate(`performance.getEntriesByType('resource')
    .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
    .map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, bytes: encodedBodySize }))`)

/** Notes what a person sees move, wait and appear while a page opens, and where the thread's last message stands. */
export const watchOpening = `
window.__opening = { shift: 0, blocking: 0, largest: 0, jump: 0, shifted: [] };
(function () {
  const seen = window.__opening;
  const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('layout-shift', ({ value, hadRecentInput, sources }) => {
    if (hadRecentInput) return;
    seen.shift += value;
    seen.shifted.push(value.toFixed(4) + ' ' + sources.map(({ node }) => node && (node.id || node.className || node.nodeName)).join(' | '));
  });
  watch('longtask', ({ duration }) => { seen.blocking += Math.max(0, duration - 50); });
  watch('largest-contentful-paint', ({ startTime }) => { seen.largest = startTime; });
  let stood = null;
  (function look() {
    const articles = document.querySelectorAll('#messages article[data-message-id]');
    const last = articles[articles.length - 1];
    const painted = performance.getEntriesByName('first-contentful-paint').length > 0;
    if (painted && last) {
      const at = last.getBoundingClientRect().bottom;
      stood ??= at;
      seen.jump = Math.max(seen.jump, Math.abs(at - stood));
    }
    requestAnimationFrame(look);
  })();
})();`

export interface Opening {
  /** the sum of what shifted, as a share of the window */
  shift: number
  /** ms that tasks held the page for longer than 50 ms */
  blocking: number
  /** ms until the largest piece was painted */
  largest: number
  /** px that the last message has moved since the first paint */
  jump: number
  /** each shift, and what moved */
  shifted: string[]
}
