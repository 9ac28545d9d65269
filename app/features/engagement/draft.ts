/**
 * What a member has begun to write for a task, kept on this device until it is sent. A draft is a convenience:
 * the act itself is durable in the outbox from the moment it is sent. Storage that is full or blocked loses only the draft.
 */
const key = (taskId: string): string => `muster-draft:${taskId}`;

/** Under which the note to a task's link is kept, beside the link. */
export const noteOf = (taskId: string): string => `${taskId}-note`;

export function readDraft(taskId: string): string {
  try {
    return localStorage.getItem(key(taskId)) ?? '';
  } catch {
    return '';
  }
}

export function keepDraft(taskId: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key(taskId));
    else localStorage.setItem(key(taskId), text);
  } catch {
    // Private windows and full disks refuse; the text is still in the field.
  }
}
