import { expect, test } from 'vitest';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';

const server = await ofFile(testServer());

const check = (url: string, code: string) => server.request('POST', '/api/x/post-checks', { body: { url, code } });
/** Posts at the sandbox's X as its page does, and reads the address off the page. */
async function post(text: string): Promise<string> {
  const { post: address } = (await server.request('GET', '/api/x/intents')).json as { post: string };
  const page = await (await fetch(`${address}?text=${encodeURIComponent(text)}`)).text();
  expect(page).toContain(`value="${text}"`);
  const person = /value="(9001)"/.exec(page)?.[1] ?? '';
  const posted = await fetch(address, { method: 'POST', body: new URLSearchParams({ text, person }) });
  return /https:\/\/x\.com\/maya_walks\/status\/\d+/.exec(await posted.text())?.[0] ?? '';
}

test('a post is proven by its code, whoever asks, and says whose it is', async () => {
  const url = await post('Trying it out. My code: K7Q2MX');
  expect(url).not.toBe('');
  expect((await check(url, 'K7Q2MX')).json).toEqual({ found: true, author: 'maya_walks', hasCode: true });
  expect((await check(`${url}?s=20`, 'AAAAAA')).json).toEqual({ found: true, author: 'maya_walks', hasCode: false });
});

test('another name in the address, and a post that is not there, show nothing', async () => {
  const url = await post('Code: K7Q2MX');
  for (const wrong of [url.replace('maya_walks', 'somebody'), 'https://x.com/maya_walks/status/1'])
    expect((await check(wrong, 'K7Q2MX')).json).toEqual({ found: false, author: null, hasCode: false });
});

test('what is no address of a post is refused, and nobody is asked', async () => {
  for (const url of [
    'https://x.com.evil.example/a/status/1',
    'https://evil.example/x.com/a/status/1',
    'https://x.com/a',
    'x',
  ])
    expect([url, (await check(url, 'K7Q2MX')).status]).toEqual([url, 400]);
  expect((await check('https://x.com/a/status/1', 'short')).status).toBe(400);
});

test('X that does not answer is said so, and may be asked again', async () => {
  await fetch(`${server.sandboxUrl}/control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ match: '/oembed', mode: '5xx' }),
  });
  const reply = await check('https://x.com/maya_walks/status/1', 'K7Q2MX');
  expect([reply.status, reply.json.reason]).toEqual([503, 'X_UNAVAILABLE']);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
});
