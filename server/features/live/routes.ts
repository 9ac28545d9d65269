import type { ChangeTopic } from '../../contract/live.ts';
import type { Handlers } from '../../http/handler.ts';
import { hubOf } from './hub.ts';

const TYPE = 'text/event-stream; charset=utf-8';
const OF_MEMBERS: readonly ChangeTopic[] = ['board', 'dashboard'];

export const liveHandlers = {
  'GET /api/live': ({ runtime, actor, query, lastEvent, gone }) => {
    const isStaff = (actor.role === 'ops' || actor.role === 'admin') && actor.sessionKind === 'web';
    const topics = new Set<ChangeTopic>(isStaff ? ['board', 'desk'] : ['board']);
    return { stream: hubOf(runtime).follow({ communityId: null, topics }, lastEvent ?? query.after, gone), type: TYPE };
  },
  'GET /api/communities/:communityId/live': ({ runtime, community, query, lastEvent, gone }) => {
    const topics = new Set<ChangeTopic>(community.role === 'member' ? OF_MEMBERS : [...OF_MEMBERS, 'review']);
    return {
      stream: hubOf(runtime).follow({ communityId: community.id, topics }, lastEvent ?? query.after, gone),
      type: TYPE,
    };
  },
} satisfies Handlers;
