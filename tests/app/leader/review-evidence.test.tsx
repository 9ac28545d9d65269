/** Whoever reviews sees what was asked, what was answered, and what is right. */
import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ReviewCard } from '../../../app/features/leader/review/review-card.tsx';
import type { Evidence } from '../../../server/contract/claims.ts';
import type { ReviewItem } from '../../../server/contract/review.ts';
import type { TaskAsk } from '../../../server/contract/tasks.ts';
import { reviewItemOf } from '../member/support.ts';
import { draw, fakeServer, json } from '../support.tsx';

const NONE = vi.hoisted(() => []);
vi.mock('../../../app/lib/device.ts', () => ({ useOutbox: () => NONE }));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));
beforeEach(() => fakeServer().answer(() => json([])));

const item = reviewItemOf('one', '2026-11-21T09:00:00.000Z');
function of(ask: TaskAsk, evidence: Evidence | null, over: Partial<ReviewItem> = {}): ReviewItem {
  return {
    ...item,
    task: { ...item.task, kind: ask.kind, title: 'Ready for the ridge?' },
    ask,
    claim: { ...item.claim, evidence },
    ...over,
  };
}
const shown = async (one: ReviewItem) => {
  await draw(<ReviewCard item={one} communityId="c1" />);
  return screen.getByRole('article').textContent ?? '';
};

const ask: TaskAsk = {
  kind: 'quiz',
  passPercent: 100,
  questions: [
    {
      id: 'q1',
      text: 'Whom do you call?',
      multiple: false,
      options: [
        { id: 'a', text: '112' },
        { id: 'b', text: '411' },
      ],
    },
    {
      id: 'q2',
      text: 'What do you bring?',
      multiple: false,
      options: [
        { id: 'a', text: 'Water' },
        { id: 'b', text: 'Sand' },
      ],
    },
  ],
};
const answers = [
  { questionId: 'q1', optionIds: ['b'] },
  { questionId: 'q2', optionIds: ['a'] },
];
const startedAt = '2026-11-21T08:59:00.000Z';

describe('a quiz', () => {
  test('has each question with the member’s answer and, where that is wrong, the right one', async () => {
    const right = [
      { questionId: 'q1', optionIds: ['a'] },
      { questionId: 'q2', optionIds: ['a'] },
    ];
    const text = await shown(of(ask, { kind: 'quiz', startedAt, answers }, { right }));
    expect(text).toMatch(/Whom do you call\?\s*Wrong\s*411\s*Right answer: 112/);
    expect(text).toMatch(/What do you bring\?\s*Right\s*Water/);
    expect(text.match(/Right answer/g)).toHaveLength(1);
    expect(text).not.toContain('Nothing written');
  });

  test('of who may still take it themselves has the questions, and says why no more', async () => {
    const text = await shown(of(ask, null));
    expect(text).toContain('Whom do you call?');
    expect(text).toContain('You have not passed this quiz yet');
    expect(text).not.toMatch(/112|411|Nothing written/);
  });
});

test.each<[string, TaskAsk, Evidence, string[]]>([
  [
    'a poll',
    {
      kind: 'poll',
      multiple: true,
      choices: [
        { id: 'n', text: 'North' },
        { id: 's', text: 'South' },
      ],
    },
    { kind: 'poll', optionIds: ['s'] },
    ['Ready for the ridge?', 'South'],
  ],
  [
    'a link',
    { kind: 'submit_url', hosts: ['openstreetmap.org'] },
    { kind: 'submit_url', url: 'https://www.openstreetmap.org/way/1', note: 'The stile' },
    ['https://www.openstreetmap.org/way/1', 'Accepted: a link at openstreetmap.org', 'The stile'],
  ],
  [
    'an event',
    {
      kind: 'telegram_event',
      place: 'The hut',
      startsAt: '2026-11-21T08:00:00.000Z',
      endsAt: '2026-11-21T10:00:00.000Z',
      publicKey: '',
    },
    { kind: 'telegram_event', code: 'ABCDE-FGHJK' },
    ['The hut', 'Typed code: ABCDE-FGHJK'],
  ],
  [
    'a like at X',
    { kind: 'x_like', post: 'https://x.com/ridge/status/1', about: '' },
    { kind: 'x_like', doneAt: '2026-11-21T08:59:00.000Z' },
    ['https://x.com/ridge/status/1', 'The member says they did it'],
  ],
  [
    'a reply at X',
    { kind: 'x_reply', post: 'https://x.com/ridge/status/1', about: '' },
    { kind: 'x_reply', url: 'https://x.com/maya/status/2' },
    ['https://x.com/ridge/status/1', 'https://x.com/maya/status/2'],
  ],
  [
    'a visited page',
    { kind: 'visit_link', url: 'https://example.org/rules' },
    { kind: 'visit_link', openedAt: '2026-11-21T08:59:00.000Z' },
    ['https://example.org/rules', 'Opened '],
  ],
])('%s has what was asked and what was answered', async (_, asked, evidence, wanted) => {
  const text = await shown(of(asked, evidence));
  for (const words of wanted) expect(text).toContain(words);
  expect(text).not.toContain('Nothing written');
});

test('a picture is shown', async () => {
  await shown(of({ kind: 'submit_image' }, { kind: 'submit_image', imageId: 'i1', note: 'The waymark' }));
  expect(screen.getByRole('img', { name: /picture/i }).getAttribute('src')).toBe('/api/communities/c1/images/i1');
  screen.getByText('“The waymark”');
});

test('an open appeal and what it is about are said once, and the history names who and when', async () => {
  const step = { from: null, evidence: null, points: null, by: 'Tomás Kral' } as const;
  const history: ReviewItem['history'] = [
    {
      ...step,
      version: 1,
      kind: 'submitted',
      actor: 'member',
      to: 'submitted',
      at: '2026-11-21T09:00:00.000Z',
      reason: null,
    },
    {
      ...step,
      version: 2,
      kind: 'rejected',
      actor: 'reviewer',
      to: 'rejected',
      at: '2026-11-21T10:00:00.000Z',
      reason: 'No place.',
      by: 'Ines',
    },
    {
      ...step,
      version: 3,
      kind: 'appealed',
      actor: 'member',
      to: 'rejected',
      at: '2026-11-21T11:00:00.000Z',
      reason: 'It is there.',
    },
  ];
  const claim = {
    ...item.claim,
    state: 'rejected' as const,
    reason: 'No place.',
    decidedBy: 'Ines',
    decidedAt: '2026-11-21T10:00:00.000Z',
    appeal: { at: '2026-11-21T11:00:00.000Z', text: 'It is there.', outcome: 'open' as const },
  };
  await shown({ ...item, claim, history });
  for (const words of ['No place.', 'It is there.']) screen.getByText(words, { exact: false });
  screen.getByText('Appealed');
});
