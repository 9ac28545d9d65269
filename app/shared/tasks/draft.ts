import { useState } from 'react';
import { local } from '../../lib/browser.ts';

/**
 * A member's unsent text for a task, stored on this device. A draft is a convenience: the sent answer is durable in the
 * outbox. Full or blocked storage loses only the draft.
 */
const key = (taskId: string): string => `muster-draft:${taskId}`;

/** Draft name of the note beside a task's link. */
export const noteOf = (taskId: string): string => `${taskId}-note`;

export const readDraft = (taskId: string): string => local.get(key(taskId)) ?? '';
export const storeDraft = (taskId: string, text: string): void => void local.set(key(taskId), text || null);

/** Text of a form that is kept as a draft while it is typed. It begins with the draft, or else with what was sent before. */
export function useStoredText(
  name: string,
  before: string | null | undefined,
): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(() => readDraft(name) || (before ?? ''));
  const type = (typed: string) => {
    setText(typed);
    storeDraft(name, typed);
  };
  return [text, type];
}
