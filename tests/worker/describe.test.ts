/** Whatever was thrown arrives: what can be read of it, its frames first of all. */
import { expect, describe as group, test } from 'vitest';
import { describe } from '../../worker/describe.ts';
import { scrub } from '../../worker/scrub.ts';
import { fc, runs } from '../support/chance.ts';

/** As it is kept and sent. */
const kept = (thrown: unknown) =>
  scrub(describe(thrown)) as { message: string; stack: string | null; additionalData?: { thrown: unknown } };
const circle: Record<string, unknown> = { a: 1 };
circle['self'] = circle;
const trap = (name: string, of: object = new Error('trapped')) =>
  Object.defineProperty(of, name, {
    get() {
      throw new Error('no look');
    },
  });
class Failure {
  note = 'by hand';
  count = 2;
}
const response = Object.defineProperty(new Response('', { status: 404, statusText: 'Not Found' }), 'url', {
  value: 'https://m.example/api/x?token=s3cret',
});
const image = new (class HTMLImageElement extends EventTarget {
  src = 'https://m.example/a.png';
})();
function dispatched(): Event {
  const event = new Event('error');
  image.dispatchEvent(event);
  return event;
}

const MESSAGES: [what: string, thrown: unknown, message: string | RegExp][] = [
  ['an error', new RangeError('out of it'), 'RangeError: out of it'],
  ['text', 'plain', 'plain'],
  ['nothing', undefined, 'undefined'],
  ['null', null, 'null'],
  ['a number', 7, '7'],
  ['a BigInt', 10n, '10n'],
  ['a symbol', Symbol('s'), 'Symbol(s)'],
  ['a plain object', { status: 7, big: 10n }, '{"status":7,"big":"10"}'],
  ['an object of no class', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  ['a circular object', circle, /^\{"a":1,"self":\{"a":1,/],
  ['an object of a class', new Failure(), 'Failure {"note":"by hand","count":2}'],
  ['an object with a member that cannot be read', trap('b', { a: 1 }), '{"a":1}'],
  ['a list', [1, 'two'], '[1,"two"]'],
  ['a function', () => 1, /=> 1/],
  ['an event', new CustomEvent('upset'), 'CustomEvent: upset'],
  ['an event of an element', dispatched(), 'Event: error on HTMLImageElement https://m.example/a.png'],
  ['an answer', response, 'Response: 404 Not Found https://m.example/api/x'],
  ['a request', new Request('https://m.example/y', { method: 'POST' }), 'Request: POST https://m.example/y'],
  ['a DOMException', new DOMException('gone', 'AbortError'), 'AbortError: gone'],
  ['an error whose name cannot be read', trap('name'), 'Error: trapped'],
  ['an error whose message cannot be read', trap('message'), /^Error/],
  [
    'a proxy that throws at everything',
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
        ownKeys: () => {
          throw new Error('no');
        },
        getPrototypeOf: () => {
          throw new Error('no');
        },
      },
    ),
    /unreadable/,
  ],
];
test.each(MESSAGES)('%s', (_what, thrown, message) => {
  expect(kept(thrown).message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
});

group('stacks', () => {
  const frames = (stack: string | null) => stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  test('a long message is shortened, in the stack too: the frames stay', () => {
    const error = new Error('x '.repeat(2_500));
    const { message, stack } = kept(error);
    expect(message.length).toBeLessThanOrEqual(2_000);
    expect(frames(stack)).toEqual(frames(error.stack ?? ''));
    expect(frames(stack).length).toBeGreaterThan(2);
  });
  test('also one of many lines, one that looks like frames, and one that was changed afterwards', () => {
    for (const text of ['line\n'.repeat(1_500), '    at nowhere (a.js:1:1)\n'.repeat(300)]) {
      const error = new Error(text);
      expect(kept(error).stack).toContain('describe.test.ts');
    }
    const changed = Object.assign(new Error('y'.repeat(5_000)), { message: 'other' });
    expect(kept(changed).stack).toContain('describe.test.ts');
  });
  test('Gecko’s, which begins with its frames, is cut at its end', () => {
    const stack = Array.from({ length: 200 }, (_, at) => `frame${at}@https://m.example/a.js:1:${at}`).join('\n');
    const error = Object.assign(new Error('z'.repeat(5_000)), { stack });
    expect(kept(error).stack?.startsWith('frame0@https://m.example/a.js:1:0\n')).toBe(true);
  });
  test('that is a list is joined; one that throws or is none is left out, and the rest arrives', () => {
    expect(kept(Object.assign(new Error('a'), { stack: ['Error: a', '    at f (a.js:1:2)'] }))).toEqual({
      message: 'Error: a',
      stack: 'Error: a\n    at f (a.js:1:2)',
    });
    expect(kept(trap('stack'))).toEqual({ message: 'Error: trapped', stack: null });
    expect(kept(Object.assign(new Error('n'), { stack: 7 }))).toEqual({ message: 'Error: n', stack: null });
  });
});

group('what is inside', () => {
  const thrownIn = (thrown: unknown) => kept(thrown).additionalData?.thrown;
  test('causes of causes, to a depth', () => {
    let error = new Error('deepest');
    for (let n = 0; n < 50; n += 1) error = new Error(`n${n}`, { cause: error });
    expect(thrownIn(error)).toMatchObject({
      cause: {
        message: 'Error: n48',
        stack: expect.stringContaining('n48'),
        thrown: { cause: { message: 'Error: n47' } },
      },
    });
    expect(JSON.stringify(kept(error)).length).toBeLessThan(40_000);
    const own = new Error('own');
    own.cause = own;
    expect(thrownIn(own)).toMatchObject({ cause: { message: 'Error: own' } });
  });
  test('the errors of an AggregateError, some of them', () => {
    const errors = Array.from({ length: 30 }, (_, at) => new TypeError(`no ${at}`));
    const { message, additionalData } = kept(new AggregateError(errors, 'all failed'));
    expect(message).toBe('AggregateError: all failed');
    expect((additionalData as { thrown: { errors: unknown[] } }).thrown.errors).toHaveLength(5);
    expect(additionalData?.thrown).toMatchObject({ errors: [{ message: 'TypeError: no 0' }, {}, {}, {}, {}] });
  });
  test('status, reason and code of an error, and its class where its name is another', () => {
    class HttpError extends Error {
      status = 503;
      reason = 'AWAY';
    }
    expect(thrownIn(new HttpError('no'))).toEqual({ status: '503', reason: 'AWAY', class: 'HttpError' });
    expect(thrownIn(Object.assign(new Error('no'), { code: 'ENOENT' }))).toEqual({ errorCode: 'ENOENT' });
    expect(thrownIn(new Error('plain'))).toBeUndefined();
  });
  test('the error of an error event, the reason of a rejection', () => {
    const event = Object.assign(new Event('error'), { error: new Error('within') });
    expect(thrownIn(event)).toMatchObject({ error: { message: 'Error: within' } });
  });
  test('what the one who noticed it knows stays beside it', () => {
    expect(describe(new Error('a', { cause: new Error('b') }), { line: 3 }).additionalData).toMatchObject({
      line: 3,
      thrown: { cause: { message: 'Error: b' } },
    });
    expect(describe('a', { line: 3 }).additionalData).toEqual({ line: 3 });
  });
});

let reads = 0;
/** Counts what is read of it, and of all that hangs on it. */
const counted = <T>(thrown: T): T =>
  typeof thrown === 'object' && thrown !== null
    ? new Proxy(thrown, {
        get(from, name) {
          reads += 1;
          return counted(Reflect.get(from, name));
        },
      })
    : thrown;

/** What is said of it stays small, and so does the work of saying it. */
function expectBounded(thrown: unknown, mostReads = 5_000): void {
  reads = 0;
  const said = kept(counted(thrown));
  expect(typeof said.message).toBe('string');
  expect(() => structuredClone(said)).not.toThrow();
  expect(JSON.stringify(said).length).toBeLessThan(200_000);
  expect(reads).toBeLessThan(mostReads);
}

test('nothing that can be thrown makes it throw, hang or grow', () => {
  const anything = fc.oneof(
    fc.anything({ withBigInt: true, withNullPrototype: true, withObjectString: true, maxDepth: 4 }),
    fc.object(),
  );
  fc.assert(
    fc.property(anything, anything, (thrown, cause) => {
      expectBounded(thrown);
      expectBounded(Object.assign(new Error('e'), { cause, stack: thrown, errors: [thrown, cause] }));
    }),
    { numRuns: runs(500) },
  );
});
test('what hangs on it without an end is left off after a while', () => {
  const endless = (): object => ({
    get cause() {
      return endless();
    },
    get errors() {
      return Array.from({ length: 9 }, endless);
    },
    get more() {
      return endless();
    },
  });
  expectBounded(endless(), 500_000);
  expectBounded(Object.assign(new Error('e'), { cause: endless(), errors: [endless(), endless()] }), 500_000);
});
