/** The writing tools as somebody uses them: what they show, what they copy, what they keep, and where it can be taken. */
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ToolsScreen } from '../../../app/features/tools/tools-screen.tsx';
import { forgetHints, rememberSignedIn } from '../../../app/lib/hints.ts';
import { aUser, click, draw, fill, json, refusal, serverOfEach } from '../support.tsx';

vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const walkers = { id: 'c1', slug: 'walkers', name: 'Walkers', role: 'leader' };
const readers = { id: 'c2', slug: 'readers', name: 'Readers', role: 'leader' };
const joined = { id: 'c3', slug: 'joined', name: 'Joined', role: 'member' };

const copied: string[] = [];
let clipboard: (text: string) => Promise<void>;
const server = serverOfEach(() => refusal(401, 'NOT_SIGNED_IN'));
beforeEach(() => {
  copied.length = 0;
  clipboard = async (text) => void copied.push(text);
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({
    writeText: (text: string) => clipboard(text),
  } as Clipboard);
});

const signedIn = (communities: unknown[]) =>
  server.answer(({ url }) => (url.includes('/user/communities') ? json(communities) : json(aUser)));
const open = async (tool: string) => {
  const view = await draw(<ToolsScreen />, `/ai-tools?tool=${tool}`);
  await screen.findAllByRole('textbox');
  return view;
};
const field = (label: string) => screen.getByLabelText(label) as HTMLTextAreaElement;
const write = (label: string, value: string) => fill(field(label), value);
const press = async (name: string | RegExp) => {
  const button = await screen.findByRole('button', { name });
  await click(button);
};
const choose = (name: string) => fireEvent.click(screen.getByRole('radio', { name }));
const kept = (name: string): unknown => JSON.parse(localStorage.getItem(`muster-form:${name}`) ?? 'null');

describe('the post composer', () => {
  test('counts as X counts, and makes a numbered thread of what is too long', async () => {
    await open('post');
    await write('Your post', 'See https://example.com/a/long/path 👨‍👩‍👧‍👦');
    const result = screen.getByRole('region', { name: 'Result' });
    expect(result.textContent).toContain('30');
    await write('Your post', 'A sentence of some words that says a little. '.repeat(10));
    expect(result.textContent).toContain('2 posts');
    expect(screen.getByRole('heading', { name: 'Post 2 of 2' })).toBeTruthy();
  });

  test('copies one post and all of them, and opens the first in X', async () => {
    await open('post');
    await write('Your post', 'A sentence of some words that says a little. '.repeat(10));
    await press('Copy post 2 of 2');
    expect(copied[0]).toMatch(/2\/2$/);
    await press('Copy all');
    expect(copied[1]).toMatch(/ 1\/2\n\nA sentence[\s\S]* 2\/2$/);
    const link = screen.getByRole('link', { name: 'Open the first in X' });
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toMatch(
      /^https:\/\/x\.com\/intent\/post\?text=A sentence[\s\S]* 1\/2$/,
    );
    expect(link.getAttribute('rel')).toContain('noopener');
  });

  test('a long post stays one', async () => {
    await open('post');
    await write('Your post', 'A sentence of some words that says a little. '.repeat(10));
    choose('Long post, up to 25,000');
    expect(screen.getByRole('region', { name: 'Result' }).textContent).toContain('of 25,000');
  });

  test('where copying is refused, it does not say that it copied', async () => {
    await open('post');
    await write('Your post', 'Words');
    clipboard = async () => {
      throw new Error('refused');
    };
    await press('Copy');
    expect(screen.queryByText('Copied')).toBeNull();
  });
});

describe('what is written', () => {
  test('is there again after a reload, and nothing of it was sent', async () => {
    const { unmount } = await open('post');
    await write('Your post', 'Half a thought');
    unmount();
    await open('post');
    expect(field('Your post').value).toBe('Half a thought');
    expect(server.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(JSON.stringify(server.asked)).not.toContain('Half a thought');
  });

  test('goes with the member: the next one finds none of it', async () => {
    rememberSignedIn('u1');
    await open('post');
    await write('Your post', 'Mine');
    cleanup();
    rememberSignedIn('u2');
    await open('post');
    expect(field('Your post').value).toBe('');
    forgetHints();
  });

  test('is given up only where that is confirmed', async () => {
    await open('post');
    await write('Your post', 'Words');
    await press('Start over');
    const dialog = screen.getByRole('dialog');
    await click(within(dialog).getByRole('button', { name: 'Keep it' }));
    expect(field('Your post').value).toBe('Words');
    await press('Start over');
    await click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Start over' }));
    expect(field('Your post').value).toBe('');
  });
});

describe('the announcement writer', () => {
  test('marks the selection by button and by key, and copies HTML and words', async () => {
    await open('announcement');
    await write('Your announcement', 'Read the guide');
    const area = field('Your announcement');
    area.setSelectionRange(9, 14);
    await press('Bold');
    expect(area.value).toBe('Read the **guide**');
    area.setSelectionRange(0, 4);
    await act(async () => void fireEvent.keyDown(area, { key: 'i', ctrlKey: true }));
    expect(area.value).toBe('_Read_ the **guide**');
    expect(screen.getByRole('region', { name: 'Length' }).textContent).toContain('14');
    await press('Copy as HTML');
    await press('Copy the text');
    expect(copied).toEqual(['<i>Read</i> the <b>guide</b>', 'Read the guide']);
  });

  test('says by how much a caption is too long', async () => {
    await open('announcement');
    await write('Your announcement', 'a'.repeat(1_030));
    choose('Caption, 1,024');
    expect(screen.getByRole('alert').textContent).toContain('6 characters too long');
  });

  test('opens the announcements of a community that one leads, with the words as its draft', async () => {
    signedIn([walkers, joined]);
    const { router } = await open('announcement');
    await write('Your announcement', '**Sunday walk**\n\nWe meet at the [bridge](https://a.example).');
    await press('Use in an announcement');
    expect(router.state.location.publicHref).toBe('/community/walkers/admin?room=announcements');
    expect(kept('announcement:c1')).toEqual({
      title: 'Sunday walk',
      body: 'We meet at the bridge (https://a.example).',
      pinnedUntil: '',
    });
  });

  test('asks before it replaces what was begun there', async () => {
    signedIn([walkers, readers]);
    localStorage.setItem('muster-form:announcement:c2', JSON.stringify({ title: 'Begun', body: '', pinnedUntil: '' }));
    await open('announcement');
    await write('Your announcement', 'New words');
    await fill(await screen.findByLabelText('Community'), 'c2');
    await press('Use in an announcement');
    expect(screen.getByRole('dialog').textContent).toContain('“Begun”');
    await press('Keep it');
    expect(kept('announcement:c2')).toMatchObject({ title: 'Begun' });
    await press('Use in an announcement');
    await press('Replace it');
    expect(kept('announcement:c2')).toMatchObject({ body: 'New words' });
  });

  test('tells a visitor and a member what it takes', async () => {
    await open('announcement');
    expect(await screen.findByText(/Sign in to open it in a community you lead/)).toBeTruthy();
    cleanup();
    signedIn([joined]);
    await open('announcement');
    expect(await screen.findByText(/If you lead a community, you can open it from here/)).toBeTruthy();
  });
});

test('the task writer fills the task editor of a community, each template keeping its own words', async () => {
  signedIn([walkers]);
  const { router } = await open('task');
  await fill(field('Templates'), 'photo');
  await write('Title', 'Show the river');
  await fill(field('Templates'), 'vote');
  expect(field('Title').value).toBe('Choose our next topic');
  await fill(field('Templates'), 'photo');
  expect(field('Title').value).toBe('Show the river');
  await press('Open in the task editor');
  expect(router.state.location.publicHref).toBe('/community/walkers/admin?room=tasks&edit=new');
  expect(kept('task:c1')).toMatchObject({
    title: 'Show the river',
    recurrence: 'weekly',
    setup: { kind: 'submit_image' },
  });
});

test('the answer checker groups what was pasted, lines and tables alike', async () => {
  await open('answers');
  await write('Answers', 'I crossed the ford at dawn.\nThe bus was late and full.\nI crossed the ford, at DAWN\nyes');
  const result = screen.getByRole('region', { name: 'Result' });
  expect(result.textContent).toContain('1 group');
  expect(result.textContent).toContain('2 of 4 answers are like another.');
  expect(result.textContent).toContain('1 is too short to compare.');
  expect(screen.getByText('Answer 3 · 100% alike')).toBeTruthy();
  choose('Table (CSV)');
  await write(
    'Answers',
    'Name,Words\nMira,"We met at the old bridge, all of us"\nTom,We met at the old bridge all of us',
  );
  expect(field('Column with the answers').value).toBe('1');
  expect(result.textContent).toContain('1 group');
});

test('the feedback summary quotes, and says that it does and from how many', async () => {
  await open('feedback');
  await write('Answers', 'The meeting place was hard to find.\nI could not find the meeting place.\nThe tea was good.');
  const result = screen.getByRole('region', { name: 'Result' });
  expect(result.textContent).toContain('From 3 answers');
  expect(result.textContent).toContain('Extractive: sentences are quoted as written');
  expect(screen.getByRole('heading', { name: 'meeting place' })).toBeTruthy();
  await press('Copy the summary');
  expect(copied[0]).toContain('meeting place, in 2 answers: “');
});

describe('where the instance has a model', () => {
  const withModel = (reply: (url: string) => Response) =>
    server.answer(({ url, method }) => {
      if (method === 'POST') return reply(url);
      if (url.includes('/user/communities')) return json([walkers]);
      return url.includes('/api/assistant') ? json({ hasModel: true, perDay: 20, left: 7 }) : json(aUser);
    });
  const poll = {
    kind: 'poll',
    title: 'Where to next?',
    instructions: '',
    points: 10,
    recurrence: 'once',
    choices: ['Hut', 'Lake'],
  };

  test('a sentence becomes a task to go on with, which nothing has saved', async () => {
    withModel(() => json(poll));
    await open('task');
    await fill(await screen.findByLabelText('From a sentence'), 'A vote on the next walk');
    await press('Draft the task');
    expect(field('Title').value).toBe('Where to next?');
    expect(field('Templates').value).toBe('vote');
    await press('Open in the task editor');
    expect(kept('task:c1')).toMatchObject({
      title: 'Where to next?',
      setup: { kind: 'poll', choices: [{ text: 'Hut' }, { text: 'Lake' }] },
    });
    expect(server.asked.filter(({ method }) => method === 'POST').map(({ url }) => url)).toEqual([
      '/api/communities/c1/task-proposals',
    ]);
  });

  test('its summary says who wrote it and from how many; a failure leaves the quotes', async () => {
    withModel(() => json({ text: 'Two of three could not find it.', answers: 3 }));
    await open('feedback');
    await write(
      'Answers',
      'The meeting place was hard to find.\nI could not find the meeting place.\nThe tea was good.',
    );
    await press('Let the model summarise');
    expect(await screen.findByText('Two of three could not find it.')).toBeTruthy();
    expect(screen.getByText(/Written by this instance’s model from 3 answers/)).toBeTruthy();
    withModel(() => refusal(503, 'MODEL_FAILED', 'The model gave nothing that can be used.'));
    await press('Let the model summarise');
    expect(await screen.findByText(/gave nothing that can be used/)).toBeTruthy();
    expect(screen.getByRole('heading', { name: /meeting place/ })).toBeTruthy();
  });
});
