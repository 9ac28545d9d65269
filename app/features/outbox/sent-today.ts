/**
 * Commands acknowledged while this page was open. Held in memory only: the ledger has them, and no data of a member may
 * outlive their session on the device.
 */
import { useSyncExternalStore } from 'react';
import { onDelivered, onDeviceEvent } from '../../lib/device.ts';

const SENT_MAX = 20;

export type Sent = { id: string; label: string; lane: string; at: number };
const none: readonly Sent[] = [];
let sent = none;
const views = new Set<() => void>();
function replaceList(next: readonly Sent[]): void {
  sent = next;
  for (const view of views) view();
}

onDelivered(({ entry: { id, label, lane } }) => {
  const others = sent.filter((one) => one.id !== id);
  replaceList([{ id, label, lane, at: Date.now() }, ...others].slice(0, SENT_MAX));
});
onDeviceEvent(({ type }) => {
  if (type === 'MEMBER_CHANGED') replaceList(none);
});

const subscribe = (changed: () => void) => {
  views.add(changed);
  return () => views.delete(changed);
};
/** Newest first, of any day. */
export const useSent = (): readonly Sent[] =>
  useSyncExternalStore(
    subscribe,
    () => sent,
    () => sent,
  );
