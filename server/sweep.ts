import type { Runtime } from './base/runtime.ts';
import { sweepQuestions } from './features/assistant/quota.ts';
import { sweepSessions } from './features/auth/sessions.ts';
import { sweepUpdates } from './features/bot/intake.ts';
import { sweepMessages } from './features/bot-messages/queue.ts';
import { sweepUnlinked } from './features/people/x-identity.ts';
import { sweepErasures } from './features/person/erasure.ts';
import { sweepDeliveries } from './features/webhooks/deliver.ts';
import { sweepCallCounts } from './http/call-counts.ts';
import { sweepAnswers } from './http/idempotency.ts';

const SWEEPS = [
  sweepCallCounts,
  sweepAnswers,
  sweepSessions,
  sweepUnlinked,
  sweepErasures,
  sweepMessages,
  sweepUpdates,
  sweepDeliveries,
  sweepQuestions,
];

/** Deletes expired rows: each part its own. A job. */
export async function sweep({ sql, now }: Pick<Runtime, 'sql' | 'now'>): Promise<void> {
  for (const one of SWEEPS) await one(sql, now());
}
