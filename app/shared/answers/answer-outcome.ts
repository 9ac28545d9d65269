import type { Claim } from '../../../server/contract/claims.ts';
import type { SendError } from '../../../worker/schema.ts';
import { onDelivered, onDeviceEvent } from '../../lib/device.ts';

/** The server's answer to one command: the claim, or why it was refused. */
export type Outcome = { claim: Claim } | { error: SendError };

/** How long a form waits for the server before it closes; later answers appear on the card. */
const SHOWN_WITHIN_MS = 4_000;

/**
 * Starts listening before a command is enqueued, so no answer is missed. `of` resolves with the server's answer to the
 * entry, or null if none comes soon.
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
  const outcomeOf = (entryId: string) =>
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
  return { of: outcomeOf, stop };
}
