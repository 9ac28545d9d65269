import type { Claim } from '../../../server/contract/claims.ts';
import type { SendError } from '../../../worker/schema.ts';
import { onDelivered, onDeviceEvent } from '../../lib/device.ts';

/** What the server said to one command: the claim, or why it would not take it. */
export type Outcome = { claim: Claim } | { error: SendError };

/** So long a form waits for its answer before it closes; what comes later is told by the card. */
const SHOWN_WITHIN_MS = 4_000;

/**
 * Listens from before a command is kept, so that no answer is too fast for it. `of` resolves with what the server said to
 * the entry, or null where it does not answer, or not soon.
 */
export function listenForOutcome(): { of: (entryId: string) => Promise<Outcome | null>; stop: () => void } {
  const outcomes = new Map<string, Outcome>();
  let done: () => void = () => undefined;
  let giveUp: () => void = () => undefined;
  const note = (entryId: string, outcome: Outcome) => {
    outcomes.set(entryId, outcome);
    done();
  };
  const stops = [
    onDelivered(({ entry, answer }) => note(entry.id, { claim: answer as Claim })),
    onDeviceEvent((event) => {
      if (event.type === 'REFUSED' && event.entry.error) note(event.entry.id, { error: event.entry.error });
      if (event.type === 'NO_ANSWER') giveUp();
    }),
  ];
  const stop = () => {
    for (const end of stops) end();
  };
  const of = (entryId: string) =>
    new Promise<Outcome | null>((resolve) => {
      const end = () => {
        stop();
        resolve(outcomes.get(entryId) ?? null);
      };
      const timer = setTimeout(end, SHOWN_WITHIN_MS);
      giveUp = end;
      done = () => {
        if (!outcomes.has(entryId)) return;
        clearTimeout(timer);
        end();
      };
      done();
    });
  return { of, stop };
}
