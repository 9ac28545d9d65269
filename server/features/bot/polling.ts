import { setTimeout } from 'node:timers/promises';
import type { Runtime } from '../../base/runtime.ts';
import { TelegramUpdate } from '../../contract/telegram.ts';
import { kindsOf, takeUpdate, updateHandlers } from './intake.ts';
import { canBeCalled } from './webhook.ts';

const WAIT_S = 25;
const RETRY_MS = 1_000;

/**
 * Polls Telegram for updates where it cannot call this instance. A job: one process at a time. Requesting the next
 * batch confirms the previous one, so a dead process's unhandled updates come again.
 */
export async function pollTelegram(runtime: Runtime, stopping: AbortSignal, waitS = WAIT_S): Promise<void> {
  const { config, telegram } = runtime;
  if (config.telegram.botToken === null || canBeCalled(config)) return;
  let from = 0;
  while (!stopping.aborted) {
    // The last request confirms what was handled.
    const updates = await telegram.updates({ from, waitS, kinds: kindsOf(updateHandlers) }, stopping).catch(() => null);
    if (updates === null) return;
    for (const one of updates) {
      if (stopping.aborted) return;
      from = await takeOne(runtime, one, from);
    }
    if (waitS === 0 && updates.length === 0) return;
  }
}

/** Handles one update until it succeeds or is given up. Returns the next offset. */
async function takeOne(runtime: Runtime, given: unknown, from: number): Promise<number> {
  const id = numberOf(given);
  // An update in an unknown form would come again for ever.
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
