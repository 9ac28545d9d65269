/** What moves on a page while nobody touches it, as the browser itself counts it. Only Chromium does. */
import type { Page } from 'playwright-core';

type Source = { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly };
type LayoutShift = PerformanceEntry & { value: number; sources: Source[] };
export type Shift = { value: number; moved: string[] };
declare global {
  /** What has moved since it was asked last; also what a busy page has not told its observer yet. */
  var takeShifts: () => Shift[];
  /** What has moved until now counts no more, also where it is told of later. */
  var forgetShifts: () => void;
  /** Ends when every read that was asked for has its answer, and none follows from it. */
  var allAnswered: () => Promise<void>;
}

/** Runs in the page, before anything else of it. Every shift counts, also those that follow a press. */
export function observeShifts(): void {
  const nameOf = (node: Node | null) =>
    node instanceof Element
      ? `${node.tagName.toLowerCase()}.${node.getAttribute('class') ?? ''}`
      : (node?.nodeName ?? '?');
  const shifts: Shift[] = [];
  let from = 0;
  const note = (entries: PerformanceEntryList) => {
    for (const { value, sources, startTime } of entries as LayoutShift[])
      if (startTime >= from)
        shifts.push({
          value,
          moved: sources.map(
            ({ node, previousRect: { x, y }, currentRect: to }) => `${nameOf(node)} ${x},${y}→${to.x},${to.y}`,
          ),
        });
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  globalThis.takeShifts = () => {
    note(observer.takeRecords());
    return shifts.splice(0);
  };
  globalThis.forgetShifts = () => {
    from = performance.now();
    shifts.length = 0;
  };
}

/**
 * Runs in the page, before anything else of it: each read is answered two frames after the one before it, so that all that
 * can come one by one does. The device's own copies come as they do.
 */
export function answerOneByOne(ofTheDevice: string): void {
  const { fetch } = globalThis;
  const drawn = () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
  let last: Promise<unknown> = Promise.resolve();
  globalThis.fetch = (asked, init) => {
    const answer = fetch(asked, init);
    const isRead =
      new URL(String(asked), location.href).pathname.startsWith('/api/') && (init?.method ?? 'GET') === 'GET';
    if (!isRead || new Headers(init?.headers).has(ofTheDevice)) return answer;
    const before = last;
    const inTurn = answer.finally(() => before);
    last = inTurn.catch(() => undefined).then(drawn);
    return inTurn;
  };
  globalThis.allAnswered = async () => {
    for (let seen: unknown; seen !== last; ) {
      seen = last;
      await last;
    }
  };
}

/** Two frames: what was to move has moved, and has been told of. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
