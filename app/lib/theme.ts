/** Light, dark or following the system; light by default. Specification, sections 1 and 9. */
import { useSyncExternalStore } from 'react';
import { DEFAULT_THEME } from '../../server/contract/limits.ts';
import { mirrorTheme, themeMirror } from './hints.ts';
import { part } from './part.ts';

export type Theme = 'light' | 'dark' | 'system';
const THEMES: readonly Theme[] = ['light', 'dark', 'system'];
const asTheme = (value: string | null): Theme => THEMES.find((theme) => theme === value) ?? DEFAULT_THEME;
/** Colours of the browser's bars; the canvas colours of tokens.css. */
const BAR = { light: '#F3F3EB', dark: '#0F1714' } as const;
const prefersDark = () => globalThis.matchMedia?.('(prefers-color-scheme: dark)');

let chosen: Theme = asTheme(themeMirror());
const listeners = new Set<() => void>();

/** The colours that a choice means on this device now. */
export const shownTheme = (theme: Theme): 'light' | 'dark' =>
  theme === 'system' ? (prefersDark()?.matches ? 'dark' : 'light') : theme;

function show(theme: Theme): void {
  chosen = theme;
  const shown = shownTheme(theme);
  document.documentElement.dataset['theme'] = shown;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BAR[shown]);
  for (const listener of listeners) listener();
}

/** Shows a theme at once and stores it: on the device, and in the mirror that the next start paints from. */
export async function setTheme(theme: Theme): Promise<void> {
  mirrorTheme(theme);
  show(theme);
  const { device } = await part(import('./device.ts'));
  await device.setTheme(theme);
}

/**
 * Reconciles mirror and device store once after the start. The store wins, unless it still has its default `light`:
 * then the mirror is newer.
 */
export async function reconcileTheme(store: {
  getTheme(): Promise<Theme>;
  setTheme(theme: Theme): Promise<void>;
}): Promise<void> {
  const before = chosen;
  const stored = await store.getTheme();
  if (stored === chosen || before !== chosen) return;
  if (stored === DEFAULT_THEME) return store.setTheme(chosen);
  mirrorTheme(stored);
  show(stored);
}

/** Follows the system while the choice is `system`. Call once, at the start of the page. */
export function followSystem(): void {
  show(chosen);
  prefersDark()?.addEventListener('change', () => chosen === 'system' && show(chosen));
}

const subscribe = (changed: () => void) => {
  listeners.add(changed);
  return () => listeners.delete(changed);
};
export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => chosen);
