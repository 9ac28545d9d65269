import { useSyncExternalStore } from 'react';
import { TOAST_LIMIT, TOAST_REMOVE_DELAY_MS } from '../../server/contract/limits.ts';
import type { IconName, MarkState } from './icon.tsx';

/** What a toast says: a mark or a picture, a title, one line, one action. Refusals interrupt (`urgent`). */
export type ToastWords = {
  mark?: MarkState;
  icon?: IconName;
  title: string;
  line?: string;
  action?: { label: string; onPress: () => void; primary?: boolean };
  urgent?: boolean;
  /** Ms until it leaves by itself; the specification's default when absent. */
  durationMs?: number;
};
/** `again`: it came while another was still to be seen, and need not draw the eye a second time. */
export type ShownToast = ToastWords & { id: number; open: boolean; again: boolean };

let toasts: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const removals = new Map<number, ReturnType<typeof setTimeout>>();
function become(next: readonly ShownToast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a toast, in the place of the one before it; gives its id. */
export function toast(words: ToastWords): number {
  lastId += 1;
  const again = toasts.some(({ open }) => open);
  const kept = [{ ...words, id: lastId, open: true, again }, ...toasts].slice(0, TOAST_LIMIT);
  for (const gone of toasts) if (!kept.includes(gone)) forget(gone.id);
  become(kept);
  return lastId;
}

/** Whether a toast is still to be seen. */
export const isToastOpen = (id: number): boolean => toasts.some((shown) => shown.id === id && shown.open);

/** Closes a toast (it leaves the screen at once) and takes it out of the list after the specification's delay. */
export function dismissToast(id: number): void {
  if (removals.has(id) || !toasts.some((shown) => shown.id === id)) return;
  removals.set(
    id,
    setTimeout(() => {
      forget(id);
      become(toasts.filter((shown) => shown.id !== id));
    }, TOAST_REMOVE_DELAY_MS),
  );
  become(toasts.map((shown) => (shown.id === id ? { ...shown, open: false } : shown)));
}
function forget(id: number): void {
  clearTimeout(removals.get(id));
  removals.delete(id);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** The list as it is now, newest first; the region draws it. */
export const useToasts = (): readonly ShownToast[] => useSyncExternalStore(subscribe, () => toasts);
