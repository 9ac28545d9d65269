import { HttpError } from '../../base/http-error.ts';
import { handleOf, postIdOf, postIn, type XKind } from '../../contract/x-post.ts';
import { prose } from '../../domain/text.ts';
import { check, invalid } from '../judged.ts';
import type { EvidenceOf, Facts, Judged, Kind, Moment, SetupOf } from '../kind.ts';

/** An action that X may be asked about; nobody knows before it was, which is not done while the member waits. */
type Look = 'x_follow' | 'x_like' | 'x_repost';
type PostOf = 'x_reply' | 'x_quote' | 'x_post';

function linked({ handle }: Facts[XKind]): string {
  if (handle === null)
    throw new HttpError(422, 'X_NOT_LINKED', 'Link your X account first: this task is checked against it.');
  return handle;
}

function judgeLook(_: unknown, evidence: EvidenceOf<Look>, __: Moment, account: Facts[XKind]): Judged {
  const told = `@${linked(account)} says so`;
  const waiting = (state: 'submitted' | 'checking', what: string): Judged => ({
    state,
    evidence,
    checks: [check('x', null, `${told}. ${what}`)],
    reason: null,
  });
  if (!account.hasToken) return waiting('submitted', 'X is not asked for this account: a reviewer decides.');
  if (!account.hasRoom) return waiting('submitted', 'This month’s budget for asking X is used up: a reviewer decides.');
  return waiting('checking', 'X is being asked.');
}

function judgePost(_: unknown, evidence: EvidenceOf<PostOf>, __: Moment, account: Facts[XKind]): Judged {
  linked(account);
  const post = postIn(evidence.url);
  if (!post)
    throw new HttpError(
      422,
      'X_POST_WRONG',
      'Send the link of your post. It looks like https://x.com/you/status/123.',
      {
        details: { field: 'url' },
      },
    );
  return {
    state: 'checking',
    evidence: { ...evidence, url: post.url },
    checks: [check('x', null, 'X is being asked')],
    reason: null,
  };
}

const ofPost = {
  judge: judgePost,
  /** A post proves one action. */
  same: ({ url }: EvidenceOf<PostOf>) => `x ${BigInt(postIdOf(url))}`,
  compared: ({ url }: EvidenceOf<PostOf>) => postIdOf(url),
  exported: ({ url }: EvidenceOf<PostOf>) => url,
};
/** Something done to a post of another account. */
const about = <K extends Exclude<XKind, 'x_follow' | 'x_post'>>(kind: K, words: readonly string[]) => ({
  check: <S extends { about: string }>(setup: S): S => ({ ...setup, about: prose('setup.about', setup.about) }),
  ask: (setup: SetupOf<K>) => setup,
  imported: {
    words,
    bare(link: string) {
      const post = postIn(link);
      return post ? ({ kind, post: post.url, about: '' } as SetupOf<K>) : null;
    },
  },
});

export const xFollow: Kind<'x_follow'> = {
  ask: (setup) => setup,
  judge: judgeLook,
  imported: {
    words: ['twitter_follow'],
    bare(link) {
      const handle = handleOf(link)?.toLowerCase();
      return handle === undefined ? null : { kind: 'x_follow', handle };
    },
  },
};
export const xLike = { ...about('x_like', ['twitter_like', 'like_tweet']), judge: judgeLook };
export const xRepost = { ...about('x_repost', ['retweet', 'twitter_retweet']), judge: judgeLook };
export const xReply = { ...about('x_reply', ['twitter_reply', 'reply_tweet']), ...ofPost };
export const xQuote = { ...about('x_quote', ['twitter_quote', 'quote_tweet']), ...ofPost };
export const xPost: Kind<'x_post'> = {
  check(setup) {
    if (setup.text === '' && setup.hashtag === '' && setup.about === '')
      invalid('setup.about', 'missing', 'say what to post: a text, a hashtag, or your own words');
    return { ...setup, text: prose('setup.text', setup.text), about: prose('setup.about', setup.about) };
  },
  ask: (setup) => setup,
  ...ofPost,
};
