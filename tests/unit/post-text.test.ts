import { expect, test } from 'vitest';
import { textOfPost } from '../../server/integrations/x/post-text.ts';

test('a post is read without its tags, and its letters as they are', () => {
  const html =
    '<blockquote class="twitter-tweet"><p lang="en">Code K7Q2MX &#128075;</p>&mdash; M (@m) <a href="https://x.com/m">May</a></blockquote>';
  expect(textOfPost(html).replace(/\s+/g, ' ').trim()).toBe('Code K7Q2MX 👋 &mdash; M (@m) May');
  expect(textOfPost('a &#9999999; b')).toBe('a  b');
});

test.each(['<', '<a ', '<>', '<<a>', '&#1'])('%j over and over takes time as it is long', (sign) => {
  const spent = (count: number): number => {
    const html = sign.repeat(count);
    const tries = [1, 2, 3].map(() => {
      const begun = process.cpuUsage();
      textOfPost(html);
      const { user, system } = process.cpuUsage(begun);
      return (user + system) / 1000;
    });
    return Math.min(...tries);
  };
  // Sixteen times as many; were it quadratic, 256 times as long.
  expect(spent(320_000)).toBeLessThan(64 * Math.max(1, spent(20_000)));
});
