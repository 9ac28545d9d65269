import { type Request, type Response, Router } from 'express';
import type { XAccount, XEngagement } from './state.ts';
import { queryOf, type World } from './world.ts';

/** What X's API v2 answers to a member's token: the user, follows, likes, reposts, one post. */
export function xReads(world: World): Router {
  const router = Router();

  /** The account of a token for this use; answers like X where it is invalid. */
  const asker = (req: Request, res: Response, scope: string): XAccount | undefined => {
    const token = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
    const account = world.state.xAccounts.get(world.state.xTokens.get(token) ?? '');
    const scopes = (world.state.xScopes.get(token) ?? '').split(' ');
    if (account && scopes.includes(scope)) return account;
    const status = account ? 403 : 401;
    const title = account ? 'Forbidden' : 'Unauthorized';
    res.status(status).json({ title, type: 'about:blank', status, detail: title });
    return undefined;
  };
  /** A page of rows, latest first; it announces another one, as X does. */
  const page = (req: Request, rows: readonly object[]) => {
    const most = Number(queryOf(req).get('max_results') ?? 100);
    const data = rows.toReversed().slice(0, most);
    const meta = { result_count: data.length, ...(rows.length > most ? { next_token: 'more' } : {}) };
    return data.length > 0 ? { data, meta } : { meta };
  };
  const engaged = (kind: string, is: (one: XEngagement) => boolean) =>
    world.state.engagements.filter((one) => one.kind === kind && is(one));
  const shown = (id: string) => {
    const account = world.state.xAccounts.get(id);
    return account ? [{ id: account.id, name: account.name, username: account.username }] : [];
  };

  router.get('/2/users/me', (req, res) => {
    const account = asker(req, res, 'users.read');
    if (account) res.json({ data: { id: account.id, name: account.name, username: account.username } });
  });
  router.get('/2/users/:id/following', (req, res) => {
    if (!asker(req, res, 'follows.read')) return;
    const rows = engaged('follow', ({ xId }) => xId === req.params.id);
    res.json(
      page(
        req,
        rows.flatMap(({ targetId }) => shown(targetId ?? '')),
      ),
    );
  });
  router.get('/2/users/:id/liked_tweets', (req, res) => {
    if (!asker(req, res, 'like.read')) return;
    const rows = engaged('like', ({ xId }) => xId === req.params.id);
    res.json(
      page(
        req,
        rows.map(({ postId, targetId }) => ({ id: postId ?? targetId, text: '' })),
      ),
    );
  });
  router.get('/2/tweets/:id/retweeted_by', (req, res) => {
    if (!asker(req, res, 'tweet.read')) return;
    const rows = engaged('repost', ({ postId, targetId }) => (postId ?? targetId) === req.params.id);
    res.json(
      page(
        req,
        rows.flatMap(({ xId }) => shown(xId)),
      ),
    );
  });
  router.get('/2/tweets/:id', (req, res) => {
    if (!asker(req, res, 'tweet.read')) return;
    const post = world.state.engagements.find(
      ({ kind, postId }) => postId === req.params.id && /^(post|reply|quote)$/.test(kind),
    );
    if (!post) return void res.json({ errors: [{ title: 'Not Found Error', resource_type: 'tweet' }] });
    const type = post.kind === 'reply' ? 'replied_to' : 'quoted';
    const references = post.targetId === undefined ? {} : { referenced_tweets: [{ type, id: post.targetId }] };
    res.json({ data: { id: post.postId, text: post.text ?? '', author_id: post.xId, ...references } });
  });

  return router;
}
