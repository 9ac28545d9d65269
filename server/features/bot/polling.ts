import { setTimeout } from 'node:timers/promises';
import type { Runtime } from '../../base/runtime.ts';
import { TelegramUpdate } from '../../contract/telegram.ts';
import { kindsOf, takeUpdate, updateHandlers } from './intake.ts';
import { canBeCalled } from './webhook.ts';

const WAIT_S = 25;
const RETRY_MS = 1_000;

/**
 * Asks Telegram for updates where it cannot call this place. A job: one process at a time. A batch is confirmed by asking for what comes
 * after it, so what a process that dies had not handled comes again.
 */
export async function pollTelegram(runtime: Runtime, stopping: AbortSignal, waitS = WAIT_S): Promise<void> {
  const { config, telegram } = runtime;
  if (config.telegram.botToken === null || canBeCalled(config)) return;
  let from = 0;
  while (!stopping.aborted) {
    // Confirms what was handled, too, when it is asked for the last time.
    const updates = await telegram.updates({ from, waitS, kinds: kindsOf(updateHandlers) }, stopping).catch(() => null);
    if (updates === null) return;
    for (const one of updates) {
      if (stopping.aborted) return;
      from = await takeOne(runtime, one, from);
    }
    if (waitS === 0 && updates.length === 0) return;
  }
}

/** Hands one over until it is handled or given up. Gives the number to ask from. */
async function takeOne(runtime: Runtime, given: unknown, from: number): Promise<number> {
  const id = numberOf(given);
  // A form that is not known here would come again for ever.
  const read = TelegramUpdate.safeParse(given);
  if (!read.success) {
    runtime.log.warn({ updateId: id }, 'an update of Telegram has a form that is not known here');
    return Math.max(from, id + 1);
  }
  for (;;) {
    try {
      await takeUpdate(runtime, read.data);
      return Math.max(from, id + 1);
    } catch {
      await setTimeout(RETRY_MS);
    }
  }
}

const numberOf = (given: unknown): number =>
  typeof given === 'object' && given !== null && 'update_id' in given ? Number(given.update_id) : 0;
