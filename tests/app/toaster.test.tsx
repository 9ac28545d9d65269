import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toast } from '../../app/ui/toast.tsx';
import { Toaster } from '../../app/ui/toaster.tsx';

import { click } from './support.tsx';

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const say = (words: Parameters<typeof toast>[0]) => act(async () => void toast(words));
const shown = () => screen.queryAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toaster />);
});
afterEach(async () => {
  await pass(2_000_000);
});

test('the region is called Notifications and F8 puts the focus there', async () => {
  const region = screen.getByRole('region', { name: 'Notifications' });
  await say({ title: 'Saved on this phone' });
  await act(async () => void fireEvent.keyDown(document, { key: 'F8', code: 'F8' }));
  expect(region.contains(document.activeElement)).toBe(true);
});

test('one at a time: the newer takes the place of the older', async () => {
  await say({ title: 'first' });
  await say({ title: 'second', line: 'with a line' });
  expect(shown()).toEqual(['second']);
  expect(screen.getAllByText('with a line').length).toBeGreaterThan(0);
});

test('it leaves after 5000 ms', async () => {
  await say({ title: 'brief' });
  await pass(4_800);
  expect(shown()).toEqual(['brief']);
  await pass(400);
  expect(shown()).toEqual([]);
});

test('it can be dismissed, and its action pressed', async () => {
  await say({ title: 'first' });
  await click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(shown()).toEqual([]);
  const onPress = vi.fn();
  await say({ title: 'second', action: { label: 'Undo', onPress } });
  await click(screen.getByRole('button', { name: 'Undo' }));
  expect(onPress).toHaveBeenCalledTimes(1);
  expect(shown()).toEqual([]);
});

async function swipe(px: number) {
  const [item] = screen.getAllByRole('heading').map((heading) => heading.closest('.toast'));
  if (!item) throw new Error('no toast');
  const move = (type: 'pointerDown' | 'pointerMove' | 'pointerUp', x: number) =>
    act(
      async () => void fireEvent[type](item, { button: 0, pointerId: 1, pointerType: 'touch', clientX: x, clientY: 0 }),
    );
  await move('pointerDown', 0);
  await move('pointerMove', px / 2);
  await move('pointerMove', px);
  await move('pointerUp', px);
}
test('a swipe of 50 px to the right puts it away; a shorter one, or to the left, does not', async () => {
  await say({ title: 'stays' });
  await swipe(40);
  await swipe(-80);
  expect(shown()).toEqual(['stays']);
  await swipe(60);
  expect(shown()).toEqual([]);
});
