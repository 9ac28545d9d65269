import type { DeviceEvent } from './schema.ts';
import type { Send } from './send.ts';

/** A request this long without an answer may hang on a connection that is dead already. */
export const SILENT_AFTER_MS = 2_000;

/**
 * Sends requests and broadcasts when one takes long. Once another room has seen the server answer (`giveUp`), requests
 * that are still silent are aborted and sent again at once instead of after their timeout. Every retry of the same
 * request gets twice the time, so a slow server can still answer.
 */
export function impatient(send: Send, tell: (event: DeviceEvent) => void): { send: Send; giveUp: () => void } {
  const onAir = new Set<{ silent: boolean; abort: () => void }>();
  const tries = new Map<string, number>();
  return {
    async send(request) {
      const name = request.headers['Idempotency-Key'] ?? request.path;
      const tried = tries.get(name) ?? 0;
      const controller = new AbortController();
      const own = { silent: false, abort: () => controller.abort() };
      const timer = setTimeout(
        () => {
          own.silent = true;
          tell({ type: 'NO_ANSWER' });
        },
        SILENT_AFTER_MS * 2 ** tried,
      );
      onAir.add(own);
      tries.set(name, tried + 1);
      try {
        const answer = await send({ ...request, signal: controller.signal });
        tries.delete(name);
        return answer;
      } finally {
        clearTimeout(timer);
        onAir.delete(own);
      }
    },
    giveUp() {
      for (const { silent, abort } of onAir) if (silent) abort();
    },
  };
}
