/** A task at X played without an account: what is posted, what is checked, and what is kept in this tab. */
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { TwitterDemoScreen } from '../../../app/features/x-demo/twitter-demo-screen.tsx';
import { click, draw, fill, json, serverOfEach } from '../support.tsx';

vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const LINK = 'https://x.com/maya_walks/status/1234567890';
let found: () => Response | Promise<Response>;
const server = serverOfEach(({ url }) =>
  url.includes('/intents') ? json({ post: 'https://x.com/intent/post' }) : found(),
);
beforeEach(() => {
  found = () => json({ found: true, author: 'maya_walks', hasCode: true });
});

const open = () => draw(<TwitterDemoScreen />, '/twitter-demo');
const link = () => screen.getByLabelText('Link to your post') as HTMLInputElement;
const paste = (value: string) => fill(link(), value);
const check = async () => {
  const button = await screen.findByRole('button', { name: 'Check my post' });
  await click(button);
};
const codeShown = () => /My code: ([A-Z0-9]{6})/.exec(document.body.textContent ?? '')?.[1] ?? '';

test('the post carries the code that the check asks for, and the receipt gives no points', async () => {
  await open();
  const at = new URL((await screen.findByRole<HTMLAnchorElement>('link', { name: 'Open X' })).href);
  expect(at.origin + at.pathname).toBe('https://x.com/intent/post');
  expect(at.searchParams.get('text')).toContain(codeShown());
  await paste(LINK);
  await check();
  await screen.findByText('X shows this post, by @maya_walks');
  const sent = server.asked.find(({ method }) => method === 'POST');
  expect(JSON.parse(String(sent?.init.body))).toEqual({ url: LINK, code: codeShown() });
  expect(screen.getByRole('status').textContent).toContain(`Your code ${codeShown()} is in it`);
  expect(screen.getByRole('status').textContent).toMatch(/0\s+In a community, this task would be counted/);
});

test('a post without the code, and one that nobody may see, say what is missing', async () => {
  await open();
  await paste(LINK);
  found = () => json({ found: true, author: 'other', hasCode: false });
  await check();
  await screen.findByText(/isn’t in it\. Post the text as it is/);
  found = () => json({ found: false, author: null, hasCode: false });
  await check();
  await screen.findByText(/X doesn’t show this post/);
});

test('what is no link of a post is said beside it, and nobody is asked', async () => {
  await open();
  await paste('https://example.com/status/1');
  expect(screen.getByRole('alert').textContent).toContain('That’s not a link to a post.');
  const form = link().closest('form');
  await act(async () => void (form && fireEvent.submit(form)));
  expect(server.asked.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('without an answer the link stays, also when the page is opened again; a new start has a new code', async () => {
  const view = await open();
  await paste(LINK);
  found = () => Promise.reject(new TypeError('Failed to fetch'));
  await check();
  await screen.findByText(/The server didn’t answer/);
  const code = codeShown();
  view.unmount();
  await open();
  expect([link().value, codeShown()]).toEqual([LINK, code]);
  found = () => json({ found: true, author: 'maya_walks', hasCode: true });
  await check();
  const again = await screen.findByRole('button', { name: 'Start again with a new code' });
  await click(again);
  expect(link().value).toBe('');
  expect(codeShown()).not.toBe(code);
});
