import { local } from '../../lib/browser.ts';

/**
 * What a member has begun to write for a task, kept on this device until it is sent. A draft is a convenience:
 * the act itself is durable in the outbox from the moment it is sent. Storage that is full or blocked loses only the draft.
 */
const key = (taskId: string): string => `muster-draft:${taskId}`;

/** Under which the note to a task's link is kept, beside the link. */
export const noteOf = (taskId: string): string => `${taskId}-note`;

export const readDraft = (taskId: string): string => local.get(key(taskId)) ?? '';
export const keepDraft = (taskId: string, text: string): void => void local.set(key(taskId), text || null);
