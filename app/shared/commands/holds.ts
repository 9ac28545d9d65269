/**
 * Presses on this page that can still be undone. Each is in the device's outbox from the start and only its sending
 * waits (`worker/unsent.ts`). This module groups the entries of one press, so the key Z undoes the last one.
 */
import type { Evidence } from '../../../server/contract/claims.ts';
import { UNDO_MS } from '../../../server/contract/limits.ts';
import type { SwRequest } from '../../../server/contract/sw-messages.ts';
import { serviceWorkers } from '../../lib/browser.ts';
import { device, type OutboxEntry, undoEntries, unsentOf } from '../../lib/device.ts';
import { imageSubject, readSubject } from '../../lib/subjects.ts';
import { m } from '../../paraglide/messages.js';
import { dismissToast, toast } from '../../ui/toast.tsx';
import { noteOf, storeDraft } from '../tasks/draft.ts';
import { bytesOf } from '../tasks/evidence.ts';

/** `bytes`: pictures or files that go before the command and are undone with it. */
type Press = { ids: readonly string[]; bytes: readonly string[]; toast: number };
let presses: readonly Press[] = [];
let isListening = false;

/** Shows what was pressed, with Undo while it is held. A newer press replaces an older one. */
export function offerUndo(ids: readonly string[], what: string, bytes: readonly string[] = []): void {
  if (ids.length === 0) return;
  const words = navigator.onLine
    ? { title: what, line: m.member_held_line() }
    : { title: m.member_toast_saved(), line: m.member_toast_saved_line({ what }) };
  const undoIt = () => void undo(ids, bytes);
  const action = { label: m.member_undo(), onPress: undoIt };
  const press = { ids, bytes, toast: toast({ mark: 'pencil', ...words, action, durationMs: UNDO_MS }) };
  presses = [...presses, press];
  setTimeout(() => end(press), UNDO_MS);
  if (!isListening) {
    isListening = true;
    addEventListener('pagehide', endHolds);
    document.addEventListener('visibilitychange', endHoldsWhenHidden);
  }
  endHoldsWhenHidden();
}

function end(press: Press): void {
  presses = presses.filter((one) => one !== press);
  dismissToast(press.toast);
}

/** Removes unsent commands and restores their text. Tells the member if one was sent in the meantime. */
async function undo(ids: readonly string[], bytes: readonly string[] = []): Promise<void> {
  for (const press of presses) if (press.ids.every((id) => ids.includes(id))) end(press);
  const undone = await undoEntries([...bytes, ...ids]);
  const commands = undone.filter(({ id }) => ids.includes(id));
  for (const { subject, body } of commands) restoreText(subject, body);
  const isWhole = commands.length === ids.length;
  toast({ icon: 'undo', title: isWhole ? m.member_undone() : m.member_undo_late(), urgent: !isWhole });
}

/** As `undo`, for one entry and the picture or file before it. */
export async function undoEntry({ id, userId, body }: OutboxEntry): Promise<void> {
  const { evidence } = (body ?? {}) as { evidence?: Evidence };
  const bytes = evidence ? bytesOf(evidence) : null;
  const before = bytes === null ? [] : await unsentOf(userId);
  await undo(
    [id],
    before.filter(({ subject }) => subject === imageSubject(bytes ?? '')).map((entry) => entry.id),
  );
}

/** Undoes the last press that is still held; called again, the one before. */
export function undoLast(): void {
  const last = presses.at(-1);
  if (last) void undo(last.ids, last.bytes);
}

/** Puts an undone answer's text back into its form. */
function restoreText(subject: string, body: unknown): void {
  const about = readSubject(subject);
  const evidence = (body as { evidence?: { text?: string; url?: string; note?: string } } | undefined)?.evidence;
  if (about?.kind !== 'claim' || !evidence) return;
  const words = evidence.text ?? evidence.url;
  if (words !== undefined) storeDraft(about.taskId, words);
  if (evidence.note !== undefined) storeDraft(noteOf(about.taskId), evidence.note);
}

/** Leaving the page ends the hold. The service worker gets it too: it may outlive the page and its worker. */
function endHolds(): void {
  const ids = presses.flatMap((press) => [...press.bytes, ...press.ids]);
  if (ids.length === 0) return;
  for (const press of presses) end(press);
  serviceWorkers()?.controller?.postMessage({ type: 'DRAIN', held: ids } satisfies SwRequest);
  void device.release(ids).catch(() => undefined);
}
function endHoldsWhenHidden(): void {
  if (document.visibilityState === 'hidden') endHolds();
}
