/** What a history says: who did what and why, and nobody for what the server did. */
import { cleanup, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { DecisionQuote } from '../../../app/shared/answers/decision-quote.tsx';
import { History } from '../../../app/shared/answers/history.tsx';
import type { ClaimStep } from '../../../server/contract/claims.ts';
import { draw } from '../support.tsx';
import { claimOf } from './support.ts';

vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const step = (kind: ClaimStep['kind'], over: Partial<ClaimStep>): ClaimStep => ({
  kind,
  at: '2026-11-21T09:00:00.000Z',
  actor: 'reviewer',
  by: 'Ines Rao',
  from: null,
  to: 'rejected',
  reason: null,
  points: null,
  version: 1,
  evidence: null,
  ...over,
});
const aiko = { actor: 'member', by: 'Aiko Mori' } as const;
const server = { actor: 'server', by: null } as const;
/** An automatic quiz that was not passed, appealed, and granted. */
const APPEALED: ClaimStep[] = [
  step('submitted', { ...aiko, to: 'submitted' }),
  step('checked', { ...server, reason: '1 of 4 right, 3 needed' }),
  step('appealed', { ...aiko, reason: 'I know this: 112.', version: 2 }),
  step('appeal_granted', { to: 'approved', version: 3 }),
  step('counted', { ...server, to: 'approved', points: 20, version: 3 }),
];
const lines = () =>
  within(screen.getByRole('list'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent ?? '');

test('of an automatic check that its member appealed against, to its member', async () => {
  await draw(<History steps={APPEALED} isOwn />);
  const [sent, checked, appealed, granted, counted] = lines();
  expect(sent).toMatch(/^SentYou, /);
  expect(checked).toMatch(/^Checked automatically: not passed\D*\d.*1 of 4 right, 3 needed$/);
  expect(appealed).toMatch(/^AppealedYou, .*“I know this: 112\.”$/);
  expect(granted).toMatch(/^Appeal grantedInes Rao, /);
  expect(counted).toMatch(/^Counted, \+20/);
  // Nobody refused it, least of all its member.
  expect(document.body.textContent).not.toMatch(/Not counted|Rejected|Aiko/);
  expect(checked).not.toContain('Ines');
});

test('to who reviews: the member by name, and the answer that another one took the place of', async () => {
  const text = (words: string) => ({ kind: 'submit_text', text: words }) as const;
  const steps = [
    step('submitted', { ...aiko, to: 'submitted', evidence: text('The first answer') }),
    step('sent_back', { to: 'changes_requested', reason: 'Say where', version: 2 }),
    step('resubmitted', { ...aiko, to: 'submitted', evidence: text('The second answer'), version: 3 }),
  ];
  await draw(<History steps={steps} isOwn={false} />);
  const [first, back, second] = lines();
  expect(first).toMatch(/^SentAiko Mori, .*“The first answer”$/);
  expect(back).toMatch(/^Changes requestedInes Rao, .*“Say where”$/);
  expect(second).toMatch(/^Sent againAiko Mori, /);
  // It is on the card already.
  expect(second).not.toContain('The second answer');
});

test('a claim that no check passed is said to be nobody’s refusal; a person’s has their name', async () => {
  const decidedAt = '2026-11-21T10:00:00.000Z';
  const failed = claimOf({ state: 'rejected', decidedAt, reason: '1 of 4 right, 3 needed' });
  await draw(<DecisionQuote claim={failed} />);
  expect(document.body.textContent).toContain('Checked automatically: not passed. 1 of 4 right, 3 needed');
  cleanup();
  await draw(<DecisionQuote claim={{ ...failed, decidedBy: 'Ines Rao', reason: 'Not on our route' }} />);
  expect(document.body.textContent).toMatch(/Not counted\. “Not on our route” Ines Rao, /);
});
