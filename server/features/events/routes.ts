import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';

export const eventHandlers = {
  'GET /api/communities/:communityId/tasks/:taskId/event-key': notBuilt,
} satisfies Handlers;
