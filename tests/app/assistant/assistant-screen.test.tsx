import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AssistantScreen } from '../../../app/features/assistant/assistant-screen.tsx';
import { readThreads } from '../../../app/features/assistant/history.ts';
import type { AnswerEvent } from '../../../server/contract/assistant.ts';
import { aUser, draw, type FakeRequest, json, refusal, serverOfEach } from '../support.tsx';
import { RULES, WALKERS } from './walkers.ts';

let state = { hasModel: false, perDay: 0, left: 0 };
/** When the server has answered about the community. */
let read: Promise<void> = Promise.resolve();
let onQuestion: (asked: FakeRequest) => Response | Promise<Response> = () => refusal(500, 'INTERNAL');

const server = serverOfEach((asked) => {
  const { url } = asked;
  if (url === '/api/auth/user') return json(aUser);
  if (url === '/api/user/communities')
    return json([{ ...WALKERS.community, points: 240, rank: 23, todo: 3, waiting: 1, toReview: 0 }]);
  if (url.endsWith('/dashboard')) return read.then(() => json({ ...WALKERS, asOf: new Date().toISOString() }));
  if (url.endsWith('/announcements')) return json({ items: [], next: null });
  if (url.startsWith('/api/communities/')) return json({ ...WALKERS.community, rules: RULES });
  if (url === '/api/assistant') return json(state);
  if (url === '/api/assistant/answers') return onQuestion(asked);
  return json({});
});
beforeEach(() => {
  read = Promise.resolve();
  state = { hasModel: false, perDay: 0, left: 0 };
});

const encode = (event: AnswerEvent) =>
  new TextEncoder().encode(`event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`);
/** An answer that the test writes piece by piece. */
function written() {
  let pen: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      pen = controller;
    },
  });
  return {
    response: new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
    write: (...events: AnswerEvent[]) => {
      for (const event of events) pen?.enqueue(encode(event));
    },
    end: () => pen?.close(),
  };
}
const text = (words: string): AnswerEvent => ({ event: 'text', data: { text: words } });
const done = (left = 17): AnswerEvent => ({
  event: 'done',
  data: {
    left,
    sources: [
      {
        number: 1,
        kind: 'guide',
        title: 'How do I appeal?',
        where: 'Claims, reviews and appeals',
        href: '/how-to-use#claims-how-do-i-appeal',
      },
    ],
  },
});

async function open(mode: string) {
  const view = await draw(<AssistantScreen />, '/ai-assistant');
  await screen.findByRole('button', { name: mode });
  await waitFor(() => expect(server.asked.filter(({ url }) => url.endsWith('/dashboard'))).toHaveLength(1));
  await waitFor(() => expect(view.client.isFetching()).toBe(0));
  return view;
}
function ask(question: string) {
  fireEvent.change(screen.getByRole('textbox', { name: 'Your question' }), { target: { value: question } });
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
}

describe('without a model', () => {
  test('why a claim was rejected is told from the member’s own data, with the card itself', async () => {
    await open('Quotes only');
    ask('Why was my claim rejected?');
    expect(await screen.findByText(/^From your own data, no model · as of /)).toBeTruthy();
    expect(screen.getByText('One of your answers in Ridge & Valley Walkers needs another try:')).toBeTruthy();
    expect(screen.getByText(/I can’t read the post number/)).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Repaint spotted: waymark 14' })).toBeTruthy();
    expect(server.asked.some(({ url }) => url === '/api/assistant/answers')).toBe(false);
  });

  test('who asks before their communities are read is answered from them, and Stop ends the waiting', async () => {
    let arrive = () => {};
    read = new Promise((done) => {
      arrive = done;
    });
    await draw(<AssistantScreen />, '/ai-assistant');
    await screen.findByRole('button', { name: 'Quotes only' });
    ask('Why was my claim rejected?');
    fireEvent.click(await screen.findByRole('button', { name: 'Stop writing' }));
    await screen.findByRole('button', { name: 'Send' });
    ask('Why was my claim rejected?');
    await screen.findByRole('button', { name: 'Stop writing' });
    expect(screen.queryByText(/^From your own data/)).toBeNull();
    arrive();
    await screen.findByText('One of your answers in Ridge & Valley Walkers needs another try:');
    expect(screen.getAllByText(/^From your own data/)).toHaveLength(1);
  });

  test('a passage of a guide or a rule is quoted, its found words marked, with where it stands', async () => {
    const { container } = await open('Quotes only');
    ask('Are dogs welcome on the Saturday walk?');
    const source = await screen.findByRole('link', { name: /Rules of Ridge & Valley Walkers, 5/ });
    expect(source.getAttribute('href')).toBe('/community/walkers');
    expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toContain('Dogs');
  });

  test('what nothing answers is not guessed at', async () => {
    await open('Quotes only');
    ask('What is the capital of Portugal?');
    expect(await screen.findByRole('heading', { name: 'I found nothing about that' })).toBeTruthy();
    expect(screen.getByText(/^Searched \d+ guide passages, 10 rules, 8 tasks and 2 announcements$/)).toBeTruthy();
  });

  test('the history stays on this device, and goes one by one or as a whole', async () => {
    await open('Quotes only');
    ask('How do I appeal?');
    await screen.findByText(/passage(s)? fit/);
    fireEvent.click(screen.getByRole('button', { name: 'New question' }));
    ask('What is a gate?');
    await waitFor(() => expect(readThreads('u1')).toHaveLength(2));
    expect(readThreads('u2')).toEqual([]);
    const aside = screen.getByRole('complementary');
    fireEvent.click(within(aside).getByRole('button', { name: 'Delete “How do I appeal?”' }));
    await waitFor(() => expect(readThreads('u1').map(({ turns }) => turns[0]?.question)).toEqual(['What is a gate?']));
    fireEvent.click(within(aside).getByRole('button', { name: 'Delete all' }));
    fireEvent.click(
      within(screen.getByRole('dialog', { name: /Delete all/ })).getByRole('button', { name: 'Delete all' }),
    );
    await waitFor(() => expect(readThreads('u1')).toEqual([]));
    expect(localStorage.getItem('muster-assistant:u1')).toBe(null);
  });
});

describe('with a model on the server', () => {
  beforeEach(() => {
    state = { hasModel: true, perDay: 20, left: 18 };
  });

  test('the answer is shown as it is written, then its sources, and a question less is left', async () => {
    const answer = written();
    onQuestion = () => answer.response;
    await open('Server model');
    expect(screen.getByText('18 of 20 questions left today. Check the sources.')).toBeTruthy();
    ask('Who hears an appeal?');
    answer.write({ event: 'read', data: { tool: 'search_guides' } }, text('Someone else '));
    expect(await screen.findByText(/Someone else/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Stop writing' })).toBeTruthy();
    state = { ...state, left: 17 };
    answer.write(text('looks at it [1].'), done());
    answer.end();
    const row = await screen.findByRole('link', { name: /Guide: How do I appeal\?/ });
    expect(row.getAttribute('href')).toBe('/how-to-use#claims-how-do-i-appeal');
    expect(screen.getByRole('link', { name: 'Source 1' })).toBeTruthy();
    expect(screen.getByText('Server model · read guides')).toBeTruthy();
    expect(await screen.findByText('17 of 20 questions left today. Check the sources.')).toBeTruthy();
    expect(JSON.parse(String(server.asked.find(({ method }) => method === 'POST')?.init.body))).toEqual({
      question: 'Who hears an appeal?',
      earlier: [],
    });
  });

  test('Stop ends the request, and what came stays', async () => {
    const answer = written();
    let signal: AbortSignal | null | undefined;
    onQuestion = ({ init }) => {
      signal = init.signal;
      signal?.addEventListener('abort', () => answer.end());
      return answer.response;
    };
    await open('Server model');
    ask('Who hears an appeal?');
    answer.write(text('Someone else '));
    await screen.findByText(/Someone else/);
    fireEvent.click(screen.getByRole('button', { name: 'Stop writing' }));
    await screen.findByRole('button', { name: 'Send' });
    expect(signal?.aborted).toBe(true);
    expect(screen.getByText(/Someone else/)).toBeTruthy();
  });

  test.each([
    [
      'fails',
      () => refusal(500, 'INTERNAL'),
      /No answer arrived from the server, so this is quoted. The question may have been counted/,
    ],
    ['has been asked too often', () => refusal(429, 'QUESTIONS_USED_UP'), /used up, so this is quoted/],
    [
      'is late',
      () => {
        const answer = written();
        answer.write(text('You may '), { event: 'failed', data: { reason: 'late', left: 18, isCounted: true } });
        answer.end();
        return answer.response;
      },
      /took too long, so this is quoted. The question was counted/,
    ],
    [
      'breaks off',
      () => {
        const answer = written();
        answer.write(text('You may '));
        answer.end();
        return answer.response;
      },
      /No answer arrived from the server, so this is quoted. The question may have been counted/,
    ],
  ])('that %s, the page quotes and says so', async (_, answer, words) => {
    onQuestion = answer;
    await open('Server model');
    ask('How do I appeal?');
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.getByText(/within 14|14 days/)).toBeTruthy();
    expect(screen.queryByText(/You may /)).toBe(null);
  });

  test('what can be computed is not asked, unless the member says so', async () => {
    const answer = written();
    onQuestion = () => answer.response;
    await open('Server model');
    ask('What is my rank?');
    expect(
      await screen.findByText('In Ridge & Valley Walkers you are number 23 of 118, with 240 points.'),
    ).toBeTruthy();
    expect(server.asked.some(({ method }) => method === 'POST')).toBe(false);
    fireEvent.click(screen.getByRole('button', { name: 'Ask the model' }));
    answer.write(text('Number 23 [1].'), done());
    answer.end();
    expect(await screen.findByText(/Number 23/)).toBeTruthy();
  });

  test('a member may keep every question on this device', async () => {
    await open('Server model');
    fireEvent.click(within(screen.getByRole('complementary')).getByRole('checkbox'));
    expect(await screen.findByRole('button', { name: 'Quotes only' })).toBeTruthy();
  });
});

describe('with a model of the browser’s', () => {
  let created: { prompts: string[]; destroyed: number; pen?: ReadableStreamDefaultController<string> };
  beforeEach(() => {
    created = { prompts: [], destroyed: 0 };
    vi.stubGlobal('LanguageModel', {
      availability: async () => 'available',
      create: async () => ({
        promptStreaming(prompt: string, { signal }: { signal: AbortSignal }) {
          created.prompts.push(prompt);
          return new ReadableStream<string>({
            start(controller) {
              created.pen = controller;
              signal.addEventListener('abort', () => controller.error(signal.reason));
            },
          });
        },
        destroy: () => {
          created.destroyed += 1;
        },
      }),
    });
  });

  test('it answers on this device from the same passages, and cites only those', async () => {
    await open('This browser');
    ask('Are dogs welcome on the Saturday walk?');
    await waitFor(() => expect(created.prompts).toHaveLength(1));
    expect(created.prompts[0]).toContain('Dogs are welcome on the Saturday walk, on a lead.');
    expect(created.prompts[0]).toContain('240 points, level 1');
    const number = /<source number="(\d)">\nRules of Ridge & Valley Walkers, 5/.exec(created.prompts[0] ?? '')?.[1];
    created.pen?.enqueue('Yes, on a ');
    expect(await screen.findByText(/Yes, on a/)).toBeTruthy();
    created.pen?.enqueue(`lead [${number}] [42].`);
    created.pen?.close();
    expect(await screen.findByRole('link', { name: 'Source 1' })).toBeTruthy();
    expect(screen.getByText('Model in this browser · nothing was sent')).toBeTruthy();
    expect(screen.queryByText(/\[42\]|Source 42/)).toBe(null);
    expect(server.asked.some(({ method }) => method === 'POST')).toBe(false);
    expect(created.destroyed).toBe(1);
  });

  test('Stop ends it', async () => {
    await open('This browser');
    ask('How do I appeal?');
    await waitFor(() => expect(created.pen).toBeDefined());
    fireEvent.click(screen.getByRole('button', { name: 'Stop writing' }));
    await waitFor(() => expect(created.destroyed).toBe(1));
    expect(await screen.findByRole('button', { name: 'Send' })).toBeTruthy();
  });

  test('that breaks, the page quotes and says so', async () => {
    await open('This browser');
    ask('How do I appeal?');
    await waitFor(() => expect(created.pen).toBeDefined());
    created.pen?.error(new Error('out of memory'));
    expect(await screen.findByText(/This browser’s model gave no usable answer, so this is quoted/)).toBeTruthy();
  });
});
