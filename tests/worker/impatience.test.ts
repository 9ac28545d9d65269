import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { captureWorkerErrors, engineOf } from '../../worker/describe.ts';
import type { SendAnswer, SendRequest } from '../../worker/send.ts';
import { impatient, SILENT_AFTER_MS } from '../../worker/send.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const request = (key: string): SendRequest => ({
  method: 'POST',
  path: '/api/x',
  headers: { 'Idempotency-Key': key },
  body: {},
  credentials: 'include',
});
/** A network whose requests hang until they are answered or taken off the air. */
function hanging() {
  const answers: ((answer: SendAnswer) => void)[] = [];
  const tell = vi.fn();
  const ends: string[] = [];
  const { send, giveUp } = impatient(
    ({ signal }) =>
      new Promise((resolve, reject) => {
        answers.push(resolve);
        signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      }),
    tell,
  );
  const begin = (key: string) =>
    void send(request(key)).then(
      () => ends.push(`${key} answered`),
      () => ends.push(`${key} given up`),
    );
  return { begin, giveUp, answers, tell, ends };
}
const answer: SendAnswer = { status: 201, retryAfter: null, date: null, body: {} };

test('a request that hangs says so after a while; it is given up when the server was seen to answer', async () => {
  const { begin, giveUp, tell, ends } = hanging();
  begin('a');
  await vi.advanceTimersByTimeAsync(SILENT_AFTER_MS - 1);
  giveUp();
  expect(tell).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(tell).toHaveBeenCalledExactlyOnceWith({ type: 'NO_ANSWER' });
  begin('b');
  giveUp();
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toEqual(['a given up']);
});
test('each further try of the same is left twice as long: a slow server gets to answer', async () => {
  const { begin, giveUp, answers, ends } = hanging();
  begin('a');
  await vi.advanceTimersByTimeAsync(SILENT_AFTER_MS);
  giveUp();
  begin('a');
  await vi.advanceTimersByTimeAsync(SILENT_AFTER_MS * 2 - 1);
  giveUp();
  answers[1]?.(answer);
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toEqual(['a given up', 'a answered']);
  begin('a');
  await vi.advanceTimersByTimeAsync(SILENT_AFTER_MS);
  giveUp();
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(3);
});
test('what is answered in time says nothing', async () => {
  const { begin, answers, tell } = hanging();
  begin('a');
  answers[0]?.(answer);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tell).not.toHaveBeenCalled();
});

test("a worker's own errors and rejections become entries", () => {
  const scope = new EventTarget();
  const entries: Record<string, unknown>[] = [];
  const surroundings = {
    location: { origin: 'https://m.example', pathname: '/sw.js', search: '?x' },
    navigator: { userAgent: 'Mozilla/5.0 Gecko/20100101 Firefox/140.0', onLine: false, language: 'et' },
  };
  captureWorkerErrors(Object.assign(scope, surroundings) as never, 'service-worker', 'b7', (data) =>
    entries.push(data),
  );
  const error = new Error('torn');
  scope.dispatchEvent(
    Object.assign(new Event('error'), { error, message: 'torn', filename: 'f', lineno: 1, colno: 2 }),
  );
  scope.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'alone' }));
  expect(entries).toMatchObject([
    {
      message: 'Error: torn',
      source: 'service-worker',
      url: 'https://m.example/sw.js',
      additionalData: { line: 1 },
      context: { build: 'b7', connection: { online: false }, device: { engine: 'Gecko', lang: 'et' } },
    },
    { message: 'alone', stack: null },
  ]);
});
test('engines are told apart', () => {
  expect(engineOf('Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0 Safari/537.36')).toBe(
    'Chromium',
  );
  expect(engineOf('Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140 Mobile/15E148')).toBe(
    'WebKit',
  );
  expect(engineOf('curl/8')).toBe('other');
});
