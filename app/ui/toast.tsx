import { useSyncExternalStore } from 'react';
import { TOAST_LIMIT, TOAST_REMOVE_DELAY_MS } from '../../server/contract/limits.ts';
import type { IconName, MarkState } from './icon.tsx';

/** Content of a toast: a mark or an icon, a title, one line, one action. Refusals interrupt (`urgent`). */
export type ToastWords = {
  mark?: MarkState;
  icon?: IconName;
  title: string;
  line?: string;
  action?: { label: string; onPress: () => void; primary?: boolean };
  urgent?: boolean;
  /** Ms until it closes automatically; by default the specification's. */
  durationMs?: number;
};
/** `again`: another toast was still visible, so this one need not animate. */
export type ShownToast = ToastWords & { id: number; open: boolean; again: boolean };

let toasts: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const removals = new Map<number, ReturnType<typeof setTimeout>>();
function setToasts(next: readonly ShownToast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a toast in place of the previous one; answers its id. */
export function toast(words: ToastWords): number {
  lastId += 1;
  const again = toasts.some(({ open }) => open);
  const kept = [{ ...words, id: lastId, open: true, again }, ...toasts].slice(0, TOAST_LIMIT);
  for (const gone of toasts) if (!kept.includes(gone)) forget(gone.id);
  setToasts(kept);
  return lastId;
}

export const isToastOpen = (id: number): boolean => toasts.some((shown) => shown.id === id && shown.open);

/** Closes a toast at once, and removes it from the list after the specification's delay. */
export function dismissToast(id: number): void {
  if (removals.has(id) || !toasts.some((shown) => shown.id === id)) return;
  removals.set(
    id,
    setTimeout(() => {
      forget(id);
      setToasts(toasts.filter((shown) => shown.id !== id));
    }, TOAST_REMOVE_DELAY_MS),
  );
  setToasts(toasts.map((shown) => (shown.id === id ? { ...shown, open: false } : shown)));
}
function forget(id: number): void {
  clearTimeout(removals.get(id));
  removals.delete(id);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** The current list, newest first; the region draws it. */
export const useToasts = (): readonly ShownToast[] => useSyncExternalStore(subscribe, () => toasts);
