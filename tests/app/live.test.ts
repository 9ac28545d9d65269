import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followChanges } from '../../app/lib/live.ts';
import type { ChangeTopic } from '../../server/contract/live.ts';

/** A stream that a test speaks for. */
class Stream extends EventTarget {
  static all: Stream[] = [];
  readonly CLOSED = 2;
  readyState = 1;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    Stream.all.push(this);
  }
  say(name: string, id: string, topics: ChangeTopic[] = []) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify({ topics }), lastEventId: id }));
  }
  fail(final: boolean) {
    this.readyState = final ? 2 : 0;
    this.dispatchEvent(new Event('error'));
  }
  close() {
    this.readyState = 2;
  }
}
const open = (url: string) => new Stream(url) as unknown as EventSource;
const at = (index: number): Stream => Stream.all.at(index) ?? new Stream('none');
const openNow = () => Stream.all.filter(({ readyState }) => readyState !== 2).length;

let seen: ChangeTopic[][];
let stop = () => {};
const onChange = (topics: ReadonlySet<ChangeTopic>) => void seen.push([...topics].sort());
const inSight = (is: boolean) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(is ? 'visible' : 'hidden');
  document.dispatchEvent(new Event('visibilitychange'));
};
beforeEach(() => {
  vi.useFakeTimers();
  seen = [];
  Stream.all = [];
});
afterEach(() => {
  stop();
});

test('changes that come together are one, and the next ones wait a moment', async () => {
  stop = followChanges('/api/live', ['board'], { open, onChange });
  at(0).say('ready', '5');
  at(0).say('change', '6', ['board']);
  at(0).say('change', '7', ['board', 'desk']);
  await vi.advanceTimersByTimeAsync(500);
  expect(seen).toEqual([['board', 'desk']]);
  at(0).say('change', '8', ['board']);
  await vi.advanceTimersByTimeAsync(500);
  expect(seen).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(seen).toHaveLength(2);
});

test('a page out of sight follows nothing, and goes on from the last change it heard of', async () => {
  stop = followChanges('/api/live', ['board'], { open, onChange });
  at(0).say('ready', '5');
  at(0).say('change', '9', ['board']);
  inSight(false);
  expect(openNow()).toBe(0);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(seen).toEqual([]);
  inSight(true);
  expect(Stream.all.map(({ url }) => url)).toEqual(['/api/live', '/api/live?after=9']);
  expect(openNow()).toBe(1);
});

test('while there is no stream everything is asked for now and then, and a refused one is tried again later', async () => {
  stop = followChanges('/api/live', ['board', 'dashboard'], { open, onChange });
  at(0).fail(true);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(seen).toEqual([['board', 'dashboard']]);
  expect(Stream.all).toHaveLength(2);
  at(1).say('ready', '3');
  await vi.advanceTimersByTimeAsync(90_000);
  expect(seen).toHaveLength(1);
});

test('a browser without streams asks now and then, until it is told to stop', async () => {
  stop = followChanges('/api/live', ['board'], { onChange });
  await vi.advanceTimersByTimeAsync(61_000);
  expect(seen).toHaveLength(2);
  stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(seen).toHaveLength(2);
});
