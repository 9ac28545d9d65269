import { expect, test } from 'vitest';
import { Evidence } from '../../server/contract/claims.ts';
import { TaskSetup } from '../../server/contract/tasks.ts';
import { handleOf, postIdOf, postIn, whyNoPost, X_POST } from '../../server/contract/x-post.ts';
import { fc, runs } from '../support/chance.ts';
import { AS_ITS_LENGTH, growth } from '../support/growth.ts';

const HOSTS = [
  ...['x.com', 'www.x.com', 'mobile.x.com', 'twitter.com', 'www.twitter.com', 'm.twitter.com', 'mobile.twitter.com'],
  ...['fxtwitter.com', 'vxtwitter.com', 'd.fxtwitter.com', 'fixupx.com', 'fixvx.com', 'twittpr.com', 'xcancel.com'],
  ...['nitter.net', 'nitter.privacydev.net', 'X.com', 'Twitter.COM', 'x.com:443'],
];
const ZERO_WIDTH = ['', '\u200b', '\ufeff', '\u2060', '\u200e'];
const name = fc.stringMatching(/^[A-Za-z0-9_]{1,15}$/);
const id = fc.stringMatching(/^[1-9]\d{0,18}$/);
/** An address as people copy it, and the name and the number in it. */
const pasted = fc
  .record({
    name,
    id,
    scheme: fc.constantFrom('https://', 'http://', '', '//', 'HTTPS://'),
    host: fc.constantFrom(...HOSTS),
    path: fc.constantFrom('name', '@name', '#!/name', 'i/web', 'i'),
    word: fc.constantFrom('status', 'statuses', 'Status'),
    end: fc.constantFrom(
      '',
      '/',
      '?s=20',
      '?s=46&t=a_b-C1',
      '/photo/1',
      '/video/2?x=1',
      '#m',
      '.',
      ')',
      '!',
      '…',
      '?ref_src=twsrc%5Etfw',
    ),
    before: fc.constantFrom('', ' ', 'Look: ', 'My post (', '“', '\n', '@ridge wrote ', 'see https://example.org and '),
    after: fc.constantFrom('', ' ', ' via @mira', '\nBye', ' https://example.org/status/5'),
    hidden: fc.constantFrom(...ZERO_WIDTH),
    cut: fc.nat(),
  })
  .map(({ scheme, host, path, word, end, before, after, hidden, cut, ...one }) => {
    const address = `${scheme}${host}/${path.replace('name', one.name)}/${word}/${one.id}${end}`;
    const at = cut % (address.length + 1);
    const text = `${before}${address.slice(0, at)}${hidden}${address.slice(at)}${after}`;
    return { text, url: `https://x.com/${path.includes('name') ? one.name : 'i'}/status/${one.id}`, id: one.id };
  });

test('however a post’s address was copied, its number is found, and it is written in one way', () => {
  fc.assert(
    fc.property(pasted, ({ text, url, id: postId }) => {
      expect(postIn(text)).toMatchObject({ postId, url });
      expect([whyNoPost(text), X_POST.test(url), postIdOf(url)]).toEqual([null, true, postId]);
      // The contract writes it so, for everybody who asks for a post.
      expect(TaskSetup.parse({ kind: 'x_like', post: text, about: '' })).toMatchObject({ post: url });
      expect(Evidence.parse({ kind: 'x_reply', url: text })).toMatchObject({ url });
    }),
    { numRuns: runs(1_000, 5_000) },
  );
});

test.each([
  ['', 'not_x'],
  ['my post', 'not_x'],
  ['https://example.org/mira/status/123', 'not_x'],
  ['https://mastodon.social/users/mira/statuses/123', 'not_x'],
  ['https://x.com.example.org/mira/status/123', 'not_x'],
  ['https://example.org/x.com/mira/status/123', 'not_x'],
  ['mira@x.com/mira/status/123', 'not_x'],
  ['https://notx.com/mira/status/123', 'not_x'],
  ['https://evil-x.com/mira/status/123', 'not_x'],
  ['https://t.co/AbC123', 'short'],
  ['https://x.com/mira', 'no_post'],
  ['x.com/home', 'no_post'],
  ['https://x.com/mira/status/', 'no_post'],
  ['https://x.com/mira/status/12ab', 'no_post'],
  ['https://x.com/mira/status/123456789012345678901', 'no_post'],
  ['https://x.com/i/lists/123', 'no_post'],
  ['https://x.com/a/status/1 https://x.com/b/status/2', 'several'],
])('%j holds no post, and it is said why: %s', (text, why) => {
  expect([postIn(text), whyNoPost(text), postIdOf(text)]).toEqual([null, why, '']);
  expect(TaskSetup.safeParse({ kind: 'x_like', post: text, about: '' }).success).toBe(false);
});

test('the same post twice is one', () => {
  expect(postIdOf('https://x.com/a/status/12 (https://fxtwitter.com/a/status/12)')).toBe('12');
});

test.each([
  ['@Ridge_Walk', 'Ridge_Walk'],
  [' ridge ', 'ridge'],
  ['https://x.com/ridge', 'ridge'],
  ['twitter.com/@ridge/', 'ridge'],
  ['https://mobile.twitter.com/ridge?lang=en', 'ridge'],
  ['nitter.net/ridge', 'ridge'],
  ['\u200bridge\u200b', 'ridge'],
  ['https://example.org/ridge', null],
  ['two words', null],
  ['a_name_that_is_too_long', null],
  ['', null],
])('a name at X is found in %j', (text, handle) => {
  expect(handleOf(text)).toBe(handle);
});

test.each(['x.com/', 'https://nitter.a.b/', 'x.com/a/status/1 ', '\u200b', 'twitter.'])(
  'a text of %j again and again takes no longer than its length asks for',
  (part) => {
    expect(growth((size) => () => postIn(part.repeat(size)), 20_000)).toBeLessThan(AS_ITS_LENGTH);
  },
);
