import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FormOf } from '../../../app/kinds/member.tsx';
import { replaced } from '../../../app/shared/answers/answer-form.tsx';
import type { Taken } from '../../../app/shared/answers/picture.ts';
import { type TaskView, viewTask } from '../../../app/shared/tasks/task-view.ts';
import type { Evidence } from '../../../server/contract/claims.ts';
import type { TaskAsk } from '../../../server/contract/tasks.ts';
import { click, draw, fakeServer, fill, json } from '../support.tsx';
import { claimOf, entryOf, taskOf } from './support.ts';

const drawing = vi.hoisted(() => ({ takePicture: async (): Promise<Taken> => ({ kind: 'too_large' }) }));
vi.mock('../../../app/shared/answers/picture.ts', () => ({ takePicture: () => drawing.takePicture() }));
const device = vi.hoisted(() => ({
  keeps: true,
  sent: [] as unknown[],
  discarded: [] as string[],
  outbox: [] as unknown[],
  tell: (_event: unknown) => {},
  deliver: (_delivery: unknown) => {},
}));
vi.mock('../../../app/lib/device.ts', () => ({
  holdsCommands: () => false,
  enqueue: async ({ body }: { body: unknown }) => {
    if (!device.keeps) throw new Error('The disk is full');
    device.sent.push(body);
    return 'entry-1';
  },
  discardEntry: async (id: string) => void device.discarded.push(id),
  useOutbox: () => device.outbox,
  onDelivered: (listener: typeof device.deliver) => {
    device.deliver = listener;
    return () => undefined;
  },
  onDeviceEvent: (listener: typeof device.tell) => {
    device.tell = listener;
    return () => undefined;
  },
}));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

vi.mock('../../../server/rules/event-code.ts', async (original) => ({
  ...(await original<typeof import('../../../server/rules/event-code.ts')>()),
  verifyQr: async () => 1,
}));
const scan = vi.hoisted(() => ({ Unreadable: class extends Error {}, isReadable: true }));
vi.mock('../../../app/shared/answers/code-reader.ts', () => ({
  Unreadable: scan.Unreadable,
  codeReader: async () => {
    if (!scan.isReadable) throw new scan.Unreadable();
    return async () => 'a code';
  },
}));

beforeEach(() => {
  device.keeps = true;
  device.outbox = [];
  device.discarded = [];
});

const refused = { status: 409, reason: 'NOT_OPEN_YET', message: 'Not open at this time.', requestId: 'r1' };
/** A task whose answer the server would not take. */
function unsent(ask: TaskAsk, evidence: Evidence): TaskView {
  const entry = entryOf('claim:c1:a', { state: 'refused', error: refused, body: { evidence } });
  return viewTask('c1', taskOf('a', { kind: ask.kind, ask }), [entry]);
}
const submit = () => act(async () => void fireEvent.submit(document.querySelector('form') as HTMLFormElement));
const form = (view: TaskView) => draw(<FormOf communityId="c1" view={view} onDone={() => undefined} />);
const checked = () =>
  [...document.querySelectorAll<HTMLInputElement>('input[type=radio], input[type=checkbox]')].map((one) => one.checked);

const options = [
  { id: 'o1', text: 'North' },
  { id: 'o2', text: 'South' },
];

describe('an answer that the server would not take is there to be changed', () => {
  test('the choices of a quiz', async () => {
    const questions = [
      { id: 'q1', text: 'Where?', options, multiple: false },
      { id: 'q2', text: 'And then?', options, multiple: false },
    ];
    const answers = [
      { questionId: 'q1', optionIds: ['o2'] },
      { questionId: 'q2', optionIds: ['o1'] },
    ];
    const startedAt = '2026-11-21T09:00:00.000Z';
    await form(unsent({ kind: 'quiz', passPercent: 50, questions }, { kind: 'quiz', startedAt, answers }));
    expect(checked()).toEqual([false, true, true, false]);
  });

  test('the choice of a poll', async () => {
    await form(unsent({ kind: 'poll', choices: options, multiple: false }, { kind: 'poll', optionIds: ['o2'] }));
    expect(checked()).toEqual([false, true]);
  });
});

test('a new answer takes the place of the one before and of its picture, and of nothing else', () => {
  const evidence = { kind: 'submit_image', imageId: 'i1' } as const;
  const entry = (id: string, subject: string, state: 'refused' | 'waiting' = 'refused') => ({
    ...entryOf(subject, { state, body: { evidence } }),
    id,
  });
  const outbox = [
    entry('claim', 'claim:c1:a'),
    entry('picture', 'image:i1'),
    entry('other', 'image:i2'),
    entry('another', 'claim:c1:b'),
  ];
  const ofTask = (entries: typeof outbox) => viewTask('c1', taskOf('a', { kind: 'submit_image' }), entries);
  expect(replaced(ofTask(outbox), outbox)).toEqual(['claim', 'picture']);
  const waiting = [entry('claim', 'claim:c1:a', 'waiting'), entry('picture', 'image:i1')];
  expect(replaced(ofTask(waiting), waiting)).toEqual([]);
});

test('a quiz that was written anew meanwhile is not answered with what it no longer asks', async () => {
  const questions = [{ id: 'q1', text: 'Where?', options, multiple: false }];
  localStorage.setItem(
    'muster-draft:a',
    JSON.stringify({ startedAt: '2026-11-21T09:00:00.000Z', answers: { q1: ['gone'] } }),
  );
  await form(viewTask('c1', taskOf('a', { kind: 'quiz', ask: { kind: 'quiz', passPercent: 50, questions } }), []));
  const send = screen.getByRole('button', { name: /^Send/ });
  expect(send.getAttribute('aria-disabled')).toBe('true');
});

test('the note to a link is kept with it until both are sent', async () => {
  const view = viewTask('c1', taskOf('a', { kind: 'submit_url', ask: { kind: 'submit_url', hosts: [] } }), []);
  const field = (name: string) => screen.getByLabelText(name) as HTMLInputElement;
  const write = (name: string, value: string) => fill(field(name), value);
  await form(view);
  const [link, note] = [...document.querySelectorAll('label')].map(({ textContent }) => textContent ?? '');
  await write(link ?? '', 'https://example.org/walk');
  await write(note ?? '', 'Page two');
  cleanup();
  await form(view);
  expect([field(link ?? '').value, field(note ?? '').value]).toEqual(['https://example.org/walk', 'Page two']);
  await act(async () => void fireEvent.submit(document.querySelector('form') as HTMLFormElement));
  cleanup();
  await form(view);
  expect([field(link ?? '').value, field(note ?? '').value]).toEqual(['', '']);
});

test.each([
  [true, 'a code that could not be kept can be scanned again'],
  [false, 'where the browser lets nobody read what the camera sees, it says so, and the camera is let go'],
])('%s: %s', async (isReadable) => {
  scan.isReadable = isReadable;
  const times = { startsAt: '2026-11-21T09:00:00.000Z', endsAt: '2026-11-21T11:00:00.000Z' };
  const ask = { kind: 'telegram_event', place: 'The ford', publicKey: 'none that verifies', ...times } as const;
  const stop = vi.fn();
  const getUserMedia = async () => ({ getTracks: () => [{ stop }] });
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { mediaDevices: { getUserMedia } }));
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', { configurable: true, writable: true, value: null });
  try {
    device.keeps = false;
    await form(viewTask('c1', taskOf('a', { kind: ask.kind, ask }), []));
    await click(screen.getByRole('button', { name: 'Scan the code' }));
    if (isReadable) await screen.findByRole('button', { name: 'Scan the code' });
    else await screen.findByText(/cannot scan codes/);
    expect([stop.mock.calls.length, document.querySelector('video')]).toEqual([1, null]);
  } finally {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  }
});

test('a text is as long as what is seen of it, on the device as on the server', async () => {
  await form(viewTask('c1', taskOf('a', { kind: 'submit_text', ask: { kind: 'submit_text', minLength: 5 } }), []));
  const send = screen.getByRole('button', { name: /^Send/ });
  for (const [text, isReady] of [
    [`ab${'\u200b'.repeat(5)}c`, false],
    ['a     b', false],
    ['abcde', true],
  ] as const) {
    await fill(screen.getByRole('textbox'), text);
    expect(send.getAttribute('aria-disabled') === 'true', JSON.stringify(text)).toBe(!isReady);
  }
});

test('a quiz says how long its questions were open, over a page that was closed meanwhile, and how long a failed try waits', async () => {
  const questions = [{ id: 'q1', text: 'Where?', options, multiple: false }];
  const startedAt = '2026-11-21T09:00:00.000Z';
  localStorage.setItem('muster-draft:a', JSON.stringify({ startedAt, tookMs: 7_000, answers: { q1: ['o1'] } }));
  const caps = { total: null, member: null, coolDownMinutes: 10 };
  const ask = { kind: 'quiz', passPercent: 50, questions } as const;
  await form(viewTask('c1', taskOf('a', { kind: 'quiz', ask, caps }), []));
  expect(document.body.textContent).toContain('After a failed try you can try again in 10 minutes.');
  await act(async () => void fireEvent.submit(document.querySelector('form') as HTMLFormElement));
  expect(device.sent.at(-1)).toMatchObject({ evidence: { kind: 'quiz', startedAt, tookMs: expect.any(Number) } });
  const { evidence } = device.sent.at(-1) as { evidence: { tookMs: number } };
  expect(evidence.tookMs).toBeGreaterThanOrEqual(7_000);
});

test('a picture that cannot be taken says which limit is in the way, or what would be read', async () => {
  const task = taskOf('a', { kind: 'submit_image', ask: { kind: 'submit_image' } as TaskAsk });
  await form(viewTask('c1', task, []));
  const choose = () =>
    act(async () => {
      const files = [new File(['x'], 'photo.jpg', { type: 'image/jpeg' })];
      fireEvent.change(screen.getByLabelText('Choose or take a picture'), { target: { files } });
    });
  await choose();
  await screen.findByText(/still over 300 kB/);
  drawing.takePicture = async () => ({ kind: 'untrue' });
  await choose();
  await screen.findByText(/fingerprint protection.* at most 300 kB/);
  drawing.takePicture = () => Promise.reject(new Error('no picture'));
  await choose();
  await screen.findByText(/Choose a JPEG, PNG or WebP/);
});

describe('what the server finds wrong with an answer is said in its form, which stays open', () => {
  const times = { startsAt: '2026-11-21T09:00:00.000Z', endsAt: '2026-11-21T11:00:00.000Z' };
  const event = { kind: 'telegram_event', place: 'The ford', publicKey: 'none', ...times } as const;
  const wrong = {
    status: 422,
    reason: 'CODE_WRONG',
    message: 'This code does not belong to this event.',
    requestId: 'r1',
  };
  const code = () => screen.getByLabelText(/code/i) as HTMLInputElement;
  const typeCode = (value: string) => fill(code(), value);

  test('a wrong code, until another one is typed; nothing of it waits elsewhere', async () => {
    const onDone = vi.fn();
    await draw(
      <FormOf
        communityId="c1"
        view={viewTask('c1', taskOf('a', { kind: event.kind, ask: event }), [])}
        onDone={onDone}
      />,
    );
    await typeCode('ABCDE-FGHJK');
    await submit();
    const entry = entryOf('claim:c1:a', { id: 'entry-1', state: 'refused', error: wrong });
    await act(async () => device.tell({ type: 'REFUSED', entry }));
    expect(screen.getByRole('alert').textContent).toBe(wrong.message);
    expect([code().value, code().getAttribute('aria-invalid')]).toEqual(['ABCDE-FGHJK', 'true']);
    expect(onDone).not.toHaveBeenCalled();
    expect(device.discarded).toEqual(['entry-1']);
    await typeCode('ABCDE-FGHJM');
    expect(screen.queryByRole('alert')).toBeNull();
    await submit();
    await act(async () =>
      device.deliver({ entry: { ...entry, id: 'entry-1' }, answer: claimOf({ state: 'approved' }) }),
    );
    expect(onDone).toHaveBeenCalledOnce();
  });

  test('not where the form was closed meanwhile: then its card says it', async () => {
    const view = viewTask('c1', taskOf('a', { kind: event.kind, ask: event }), []);
    const { unmount } = await form(view);
    await typeCode('ABCDE-FGHJK');
    await submit();
    unmount();
    const entry = entryOf('claim:c1:a', { id: 'entry-1', state: 'refused', error: wrong });
    await act(async () => device.tell({ type: 'REFUSED', entry }));
    expect(device.discarded).toEqual([]);
  });

  test('what is about more than a field waits for its member, and gives way to another answer', async () => {
    const view = viewTask('c1', taskOf('a', { kind: event.kind, ask: event }), []);
    await form(view);
    await typeCode('ABCDE-FGHJK');
    await submit();
    const entry = entryOf('claim:c1:a', { id: 'entry-1', state: 'refused', error: refused });
    await act(async () => device.tell({ type: 'REFUSED', entry }));
    expect(device.discarded).toEqual([]);
    device.outbox = [entry];
    await typeCode('ABCDE-FGHJM');
    await submit();
    expect(device.discarded).toEqual(['entry-1']);
  });

  test('also when its form is opened again, and nothing calls it refused', async () => {
    const entry = entryOf('claim:c1:a', {
      state: 'refused',
      error: wrong,
      body: { evidence: { kind: event.kind, code: 'ABCDE-FGHJK' } },
    });
    await form(viewTask('c1', taskOf('a', { kind: event.kind, ask: event }), [entry]));
    expect(code().value).toBe('ABCDE-FGHJK');
    expect(screen.getByRole('alert').textContent).toBe(wrong.message);
    expect(document.querySelector('.quote')).toBeNull();
  });

  test('a quiz that was not passed, with how it went and when to try again', async () => {
    const questions = [{ id: 'q1', text: 'Where?', options, multiple: false }];
    const ask = { kind: 'quiz', passPercent: 100, questions } as const;
    const onDone = vi.fn();
    await draw(
      <FormOf communityId="c1" view={viewTask('c1', taskOf('a', { kind: 'quiz', ask }), [])} onDone={onDone} />,
    );
    await click(screen.getByLabelText('South'));
    await submit();
    const retryAt = new Date(Date.now() + 60_000).toISOString();
    const failed = claimOf({ state: 'rejected', reason: '0 of 1 right, 1 needed', retryAt });
    await act(async () => device.deliver({ entry: entryOf('claim:c1:a', { id: 'entry-1' }), answer: failed }));
    expect(screen.getByRole('alert').textContent).toBe('0 of 1 right, 1 needed');
    expect(onDone).not.toHaveBeenCalled();
    expect(checked()).toEqual([false, true]);
    expect(document.querySelector('form button[type=submit]')?.textContent).toMatch(/from /);
  });

  test('a link elsewhere, by its host', async () => {
    const ask: TaskAsk = { kind: 'submit_url', hosts: ['openstreetmap.org'] };
    await form(viewTask('c1', taskOf('a', { kind: 'submit_url', ask }), []));
    const link = document.querySelector('input') as HTMLInputElement;
    await fill(link, 'https://example.com/walk');
    device.sent = [];
    await submit();
    expect(screen.getByRole('alert').textContent).toBe(
      'example.com is not accepted. Send a link at openstreetmap.org.',
    );
    expect(device.sent).toEqual([]);
  });
});

describe('a task at X', () => {
  const formOf = (ask: TaskAsk, online = true) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
    return form(viewTask('c1', taskOf('a', { kind: ask.kind, ask }), []));
  };
  beforeEach(() => {
    const at = (name: string) => `https://x.com/intent/${name}`;
    fakeServer().answer(() =>
      json({ post: at('post'), follow: at('follow'), like: at('like'), repost: at('retweet') }),
    );
  });

  test.each<[TaskAsk, string]>([
    [{ kind: 'x_follow', handle: 'ridge' }, 'https://x.com/intent/follow?screen_name=ridge'],
    [{ kind: 'x_like', post: 'https://x.com/r/status/7', about: '' }, 'https://x.com/intent/like?tweet_id=7'],
    [{ kind: 'x_repost', post: 'https://x.com/r/status/7', about: '' }, 'https://x.com/intent/retweet?tweet_id=7'],
    [{ kind: 'x_reply', post: 'https://x.com/r/status/7', about: '' }, 'https://x.com/intent/post?in_reply_to=7'],
    [
      { kind: 'x_quote', post: 'https://x.com/r/status/7', about: '' },
      'https://x.com/intent/post?url=https%3A%2F%2Fx.com%2Fr%2Fstatus%2F7',
    ],
    [
      { kind: 'x_post', text: 'We walk', hashtag: 'Ridge', about: '' },
      'https://x.com/intent/post?text=We+walk+%23Ridge',
    ],
  ])('opens X where it is done: %o', async (ask, href) => {
    await formOf(ask);
    expect(document.querySelector('a[target=_blank]')?.getAttribute('href')).toBe(href);
  });

  test('is said to be done, or shown by a link, without a connection too', async () => {
    device.sent = [];
    await formOf({ kind: 'x_like', post: 'https://x.com/r/status/7', about: 'Our walk' }, false);
    expect(document.querySelector('a[target=_blank]')).toBeNull();
    await submit();
    expect(device.sent).toMatchObject([{ evidence: { kind: 'x_like', doneAt: expect.any(String) } }]);
    cleanup();
    device.sent = [];
    await formOf({ kind: 'x_reply', post: 'https://x.com/r/status/7', about: '' }, false);
    const link = document.querySelector('input') as HTMLInputElement;
    await fill(link, 'https://example.com/r/status/8');
    await submit();
    expect(screen.getByRole('alert').textContent).toContain('That’s not a link to a post');
    for (const [value, said] of [
      ['https://t.co/AbC', 'That’s a shortened link'],
      ['x.com/maya', 'not to a post'],
    ] as const) {
      await fill(link, value);
      await submit();
      expect(screen.getByRole('alert').textContent).toContain(said);
    }
    const pasted = 'My answer: m.twitter.com/maya/statuses/8?s=20\u200b via @ridge';
    await fill(link, pasted);
    await submit();
    expect(device.sent).toMatchObject([{ evidence: { kind: 'x_reply', url: 'https://x.com/maya/status/8' } }]);
  });
});
