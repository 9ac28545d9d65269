import { statfs } from 'node:fs/promises';

/** Logs leave the last tenth of a disk to everything else; on a large one, the last five gigabytes. */
const LEAST_SHARE = 0.1;
const LEAST_BYTES = 5_000_000_000;
const LOOK_EVERY_MS = 2_000;

type Room = { bavail: number; blocks: number; bsize: number };

/** Answers whether the disk of `folder` has too little room for logs, as it was some seconds ago. Asks in the background. */
export function watchDisk(folder: string, look: (folder: string) => Promise<Room> = statfs): () => boolean {
  let isLow = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const lookAgain = async () => {
    try {
      const { bavail, blocks, bsize } = await look(folder);
      isLow = bavail * bsize < Math.min(blocks * bsize * LEAST_SHARE, LEAST_BYTES);
    } catch {
      // An unreadable folder says nothing; storage itself rejects what does not fit.
      isLow = false;
    }
  };
  const isDiskLow = () => {
    if (performance.now() - lookedAt > LOOK_EVERY_MS) {
      lookedAt = performance.now();
      void lookAgain();
    }
    return isLow;
  };
  isDiskLow();
  return isDiskLow;
}
