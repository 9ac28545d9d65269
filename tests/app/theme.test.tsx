import { resolve } from 'node:path';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Tip, Tips } from '../../app/ui/tooltip.tsx';
import { bootScript } from '../../server/build/boot.ts';

import { click } from './support.tsx';

type Theme = 'light' | 'dark' | 'system';
const store = {
  theme: 'light' as Theme,
  getTheme: async () => store.theme,
  setTheme: async (theme: Theme) => {
    store.theme = theme;
  },
};
vi.mock('../../app/lib/device.ts', () => ({ device: store }));

const boot = bootScript(resolve(import.meta.dirname, '../../app/public/boot.js'));
const html = document.documentElement;
function system(dark: boolean) {
  const media = Object.assign(new EventTarget(), { matches: dark });
  vi.stubGlobal('matchMedia', () => media);
  return (now: boolean) => {
    media.matches = now;
    media.dispatchEvent(new Event('change'));
  };
}
async function freshPage() {
  vi.resetModules();
  return import('../../app/lib/theme.ts');
}

beforeEach(() => {
  store.theme = 'light';
  html.removeAttribute('data-theme');
  system(false);
});

describe('before the first paint', () => {
  for (const [kept, dark, shown] of [
    [null, true, 'light'],
    ['light', true, 'light'],
    ['dark', false, 'dark'],
    ['system', true, 'dark'],
    ['system', false, 'light'],
    ['nonsense', true, 'light'],
  ] as const)
    test(`kept ${kept}, system ${dark ? 'dark' : 'light'}: ${shown}`, async () => {
      if (kept) localStorage.setItem('muster-theme', kept);
      system(dark);
      new Function(boot)();
      expect(html.dataset['theme']).toBe(shown);
      (await freshPage()).followSystem();
      expect(html.dataset['theme']).toBe(shown);
    });
});

test('a choice is shown at once and kept on the device, with its mirror', async () => {
  const theme = await freshPage();
  await theme.setTheme('dark');
  expect([html.dataset['theme'], store.theme, localStorage.getItem('muster-theme')]).toEqual(['dark', 'dark', 'dark']);
});

test('with system it follows the system, with light it does not', async () => {
  const change = system(false);
  const theme = await freshPage();
  theme.followSystem();
  await theme.setTheme('system');
  change(true);
  expect(html.dataset['theme']).toBe('dark');
  await theme.setTheme('light');
  change(false);
  change(true);
  expect(html.dataset['theme']).toBe('light');
});

test('a lost mirror comes back from the device; a choice that the device does not have yet goes there', async () => {
  store.theme = 'dark';
  const lost = await freshPage();
  lost.followSystem();
  await lost.reconcileTheme(store);
  expect([html.dataset['theme'], localStorage.getItem('muster-theme')]).toEqual(['dark', 'dark']);
  store.theme = 'light';
  localStorage.setItem('muster-theme', 'system');
  const newer = await freshPage();
  await newer.reconcileTheme(store);
  expect(store.theme).toBe('system');
});

test('three choices, the present one pressed', async () => {
  const theme = await freshPage();
  await theme.setTheme('system');
  const { ThemeChoice } = await import('../../app/ui/theme-choice.tsx');
  render(<ThemeChoice />);
  const pressed = () => screen.getAllByRole('radio').map((one) => [one.textContent, one.getAttribute('aria-checked')]);
  expect(pressed()).toEqual([
    ['Light', 'false'],
    ['Dark', 'false'],
    ['System', 'true'],
  ]);
  await click(screen.getByRole('radio', { name: 'Dark' }));
  expect(html.dataset['theme']).toBe('dark');
});

describe('tooltips', () => {
  const tip = () => screen.queryByRole('tooltip');
  const at = (name: string, event: 'pointerMove' | 'pointerLeave') =>
    act(async () => void fireEvent[event](screen.getByRole('button', { name }), { pointerType: 'mouse' }));
  /** Leaves a control for good: not towards its tip. */
  const leave = async (name: string) => {
    await at(name, 'pointerLeave');
    await act(async () => void fireEvent.pointerMove(document.body, { clientX: 500, clientY: 500 }));
  };
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  test('come after 700 ms, and at once on the next control within 300 ms', async () => {
    vi.useFakeTimers();
    render(
      <Tips>
        <Tip words="The first">
          <button type="button">one</button>
        </Tip>
        <Tip words="The second">
          <button type="button">two</button>
        </Tip>
      </Tips>,
    );
    await at('one', 'pointerMove');
    await pass(650);
    expect(tip()).toBeNull();
    await pass(100);
    expect(tip()?.textContent).toBe('The first');
    await leave('one');
    await pass(200);
    await at('two', 'pointerMove');
    await pass(10);
    expect(tip()?.textContent).toBe('The second');
    await leave('two');
    await pass(1_000);
    await at('one', 'pointerMove');
    await pass(600);
    expect(tip()).toBeNull();
  });

  test('outside of a frame that has them, the control stands alone', () => {
    render(
      <Tip words="Never seen">
        <button type="button">alone</button>
      </Tip>,
    );
    expect(screen.getByRole('button', { name: 'alone' })).toBeTruthy();
  });
});
