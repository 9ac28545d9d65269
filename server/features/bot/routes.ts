import type { Handlers } from '../../http/handler.ts';
import { takeUpdate } from './intake.ts';

export const botHandlers = {
  async 'POST /api/telegram/webhook'({ runtime, body }) {
    await takeUpdate(runtime, body);
    return { json: { ok: true } };
  },
} satisfies Handlers;
