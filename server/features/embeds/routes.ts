import type { Handlers } from '../../http/handler.ts';
import { publicBoard, publicCommunity } from './embeds.ts';
import { boardPage, cardPage, type Page } from './page.ts';

const fileOf = ({ html, policy }: Page) => ({
  file: { type: 'text/html' as const, content: Buffer.from(html), name: null, policy },
});

export const embedHandlers = {
  'GET /api/public/communities/:communityId': async ({ runtime, community }) => ({
    json: await publicCommunity(runtime, community.id),
  }),
  'GET /api/public/communities/:communityId/board': async ({ runtime, community, query }) => ({
    json: await publicBoard(runtime, community.id, query),
  }),
  'GET /api/embed/:communityId/card': async ({ runtime, community, query }) => {
    const shown = await publicCommunity(runtime, community.id);
    return fileOf(cardPage(shown, runtime.config.productName, query.theme));
  },
  'GET /api/embed/:communityId/board': async ({ runtime, community, query }) => {
    const shown = await publicBoard(runtime, community.id, query);
    return fileOf(boardPage(shown, runtime.config.productName, query.theme));
  },
} satisfies Handlers;
