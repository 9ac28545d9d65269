import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Segment } from '../../app/ui/segment.tsx';

const WIDTH = 60;
const PERIODS = ['today', 'week', 'month', 'season', 'all'] as const;
function Periods() {
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('all');
  const options = PERIODS.map((value) => ({ value, label: value }));
  return <Segment label="Period" options={options} value={period} onChange={setPeriod} />;
}

test('where the choices do not fit side by side, the chosen one is brought into the middle of those in sight', () => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const place = PERIODS.indexOf(this.textContent as never);
    return place < 0 ? new DOMRect(0, 0, 200, 44) : new DOMRect(place * WIDTH, 0, WIDTH, 44);
  });
  const scrolled = vi.spyOn(Element.prototype, 'scrollBy').mockImplementation(() => undefined);
  render(<Periods />);
  fireEvent.click(screen.getByRole('radio', { name: 'today' }));
  expect(scrolled.mock.calls).toEqual([[{ left: 170 }], [{ left: -70 }]]);
});

test('the row is one stop of the Tab key: arrows lead round it, and nothing is chosen until it is pressed', () => {
  render(<Periods />);
  const choice = (name: string) => screen.getByRole('radio', { name });
  expect(screen.getAllByRole('radio').map((one) => one.tabIndex)).toEqual([-1, -1, -1, -1, 0]);
  choice('all').focus();
  fireEvent.keyDown(choice('all'), { key: 'ArrowRight' });
  expect(document.activeElement).toBe(choice('today'));
  fireEvent.keyDown(choice('today'), { key: 'ArrowLeft' });
  fireEvent.keyDown(choice('all'), { key: 'ArrowUp' });
  expect(document.activeElement).toBe(choice('season'));
  expect(choice('all').getAttribute('aria-checked')).toBe('true');
  fireEvent.click(choice('season'));
  expect(choice('season').getAttribute('aria-checked')).toBe('true');
});

test('where lines run from right to left, so do the arrows', () => {
  render(<Periods />);
  const all = screen.getByRole('radio', { name: 'all' });
  all.focus();
  vi.spyOn(window, 'getComputedStyle').mockReturnValue({ direction: 'rtl' } as CSSStyleDeclaration);
  fireEvent.keyDown(all, { key: 'ArrowRight' });
  expect(document.activeElement?.textContent).toBe('season');
});
