/** Answers in the review queue that are nearly the same are named on the card and in the list, side by side on demand. */
import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Review } from '../../../app/features/leader/review/review.tsx';
import { similarIn } from '../../../app/features/leader/review/similar-answers.tsx';
import type { ReviewItem } from '../../../server/contract/review.ts';
import { dashboardOf, reviewItemOf } from '../member/support.ts';
import { besideReview } from '../review-reads.ts';
import { click, draw, json, serverOfEach } from '../support.tsx';

vi.mock('../../../app/lib/device.ts', () => import('../quiet-device.ts'));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));
serverOfEach(({ url }) => besideReview(url) ?? json({ items: ITEMS, next: null, waiting: 4 }));

function answered(id: string, text: string, taskId = 'task-1'): ReviewItem {
  const item = reviewItemOf(id, `2026-11-21T09:00:0${id.length}.000Z`);
  return {
    ...item,
    claim: { ...item.claim, id, taskId, evidence: { kind: 'submit_text', text } },
    task: { ...item.task, id: taskId, kind: 'submit_text' },
    member: { ...item.member, id: `m-${id}`, displayName: `Member ${id}` },
  };
}
const ITEMS = [
  answered('a', 'I crossed the ford at dawn and saw two herons.'),
  answered('bb', 'i crossed the ford at dawn, and saw two HERONS'),
  answered('ccc', 'The bus was late, so I walked along the canal instead.'),
  answered('dddd', 'I crossed the ford at dawn and saw two herons.', 'task-2'),
];

test('answers are compared with those to the same task alone', () => {
  const alike = similarIn(ITEMS);
  expect([...alike.keys()].sort()).toEqual(['a', 'bb']);
  expect(alike.get('a')?.map(({ item }) => item.claim.id)).toEqual(['a', 'bb']);
});

test('the card opens them side by side, from where another is opened or all are marked', async () => {
  await draw(<Review community={{ ...dashboardOf([]).community, role: 'leader' }} />);
  const [open] = await screen.findAllByRole('button', { name: 'Similar to 1 other' });
  expect(screen.getAllByText('Similar to 1 other').length).toBeGreaterThan(2);
  await act(async () => void (open && fireEvent.click(open)));
  const sheet = screen.getByRole('dialog', { name: 'Nearly the same answers' });
  expect(within(sheet).getAllByText(/100% alike/)).toHaveLength(2);
  await click(within(sheet).getByRole('button', { name: 'Mark all 2' }));
  expect(await screen.findByRole('button', { name: 'Approve 2' })).toBeTruthy();
  expect(within(screen.getByRole('region', { name: 'Selected answers' })).getAllByRole('listitem')).toHaveLength(2);
  const press = async (name: string) => click(screen.getAllByRole('button', { name })[0] as Element);
  await press('Clear selection');
  const [card] = screen.getAllByRole('button', { name: 'Similar to 1 other' });
  await act(async () => void (card && fireEvent.click(card)));
  const again = screen.getByRole('dialog', { name: 'Nearly the same answers' });
  await click(within(again).getByRole('button', { name: 'Review the answer of Member bb' }));
  expect(screen.getByRole('heading', { level: 2, name: 'Member bb' })).toBeTruthy();
});
