import type { Progress } from '../storage/backup-format.ts';

/** Shows on a terminal how far the work is, in one line that goes with it. */
export async function shown<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY) return work(() => {});
  let last = '';
  try {
    return await work((words) => {
      if (words !== last) stderr.write(`\r\u001b[K${words}`);
      last = words;
    });
  } finally {
    stderr.write('\r\u001b[K');
  }
}
