import type { MarkState } from '../../ui/icon.tsx';
import type { TaskState } from './task-view.ts';

/** The mark of each state of a task. */
export const MARKS: Record<TaskState, MarkState> = {
  unsent: 'refused',
  changes: 'changes',
  rejected: 'refused',
  open: 'slot',
  queued: 'pencil',
  sending: 'sending',
  received: 'received',
  locked: 'slot',
  counted: 'ink',
  reversed: 'reversed',
};
