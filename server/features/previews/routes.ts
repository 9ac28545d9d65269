import { HttpError, notFound } from '../../base/http-error.ts';
import { TooManyWait } from '../../base/own-thread.ts';
import type { Handlers } from '../../http/handler.ts';
import { createCards } from '../../integrations/cards/cards.ts';
import { factsOf } from './previews.ts';

const cards = () => createCards();

export const previewHandlers = {
  'GET /api/communities/:communityId/card': async ({ runtime, sql, community }) => {
    const [row] = await sql<{ name: string; slug: string; members: number; openTasks: number }[]>`
      select name, slug, members,
        (select count(*)::int from tasks t where t.community_id = c.id and t.status = 'live') as "openTasks"
      from communities c where id = ${community.id} and visibility = 'public' and status = 'active'`;
    if (!row) throw notFound('community');
    const { publicOrigin, productName: product } = runtime.config;
    const words = { name: row.name, slug: row.slug, line: factsOf(row), host: new URL(publicOrigin).host, product };
    const content = await runtime
      .own(cards)
      .draw(words)
      .catch((error: unknown) => {
        if (!(error instanceof TooManyWait)) throw error;
        throw new HttpError(503, 'CARDS_BUSY', 'Too many pictures are asked for. Come back in a moment.', {
          retryAfterSeconds: 10,
        });
      });
    return { file: { type: 'image/png', content, name: null } };
  },
} satisfies Handlers;
