import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runPartnerChecks } from '../../server/features/claims/partner-checks.ts';
import { countWaiting } from '../../server/features/claims/waiting.ts';
import { postForText } from '../../server/integrations/outward/ask.ts';
import type { World } from '../../server/integrations/outward/post.ts';
import { ofFile } from '../support/of-file.ts';
import { answering, startReceiver } from '../support/receiver.ts';
import { testServer } from '../support/server.ts';
import { community, memberOf, type TestCommunity } from '../support/world.ts';

let place: TestCommunity;
let leader: { userId: string; cookie: string };
let member: { userId: string; cookie: string };
const [server, partner] = await Promise.all([ofFile(testServer({ sandbox: false })), ofFile(startReceiver())]);

beforeEach(async () => {
  place = await community(server, (await server.person()).userId);
  leader = await memberOf(server, place.id, 'leader');
  member = await memberOf(server, place.id, 'member');
});
afterEach(() => {
  partner.received.length = 0;
});

const send = (who: { cookie: string }, path: string, body?: unknown) =>
  server.command('POST', `/api/communities/${place.id}${path}`, { cookie: who.cookie, body });
const add = async (asks = '', url = 'https://hooks.example.org/done?key=k') =>
  send(leader, '/tasks', {
    setup: { kind: 'partner', url, asks },
    title: 'Buy a ticket',
    instructions: '',
    points: 5,
    recurrence: 'once',
  });
const claim = async (task: string, answer?: string) =>
  (await send(member, `/tasks/${task}/claims`, { evidence: { kind: 'partner', ...(answer && { answer }) } })).json;
const now = async (id: string) =>
  (await server.request('GET', `/api/communities/${place.id}/claims/${id}`, { cookie: member.cookie })).json;

const forReview = () => countWaiting(server.sql, { communityId: place.id, reviewerId: leader.userId });

/** Asks what is due `afterMs` from now. */
function run(afterMs = 0, world: World = partner.world, timeoutMs = 2_000) {
  const at = new Date(server.runtime.now().getTime() + afterMs);
  return runPartnerChecks({ ...server.runtime, now: () => at }, new AbortController().signal, (posting) =>
    postForText({ ...posting, timeoutMs }, world),
  );
}
const says = (status: number, body: string) => partner.answer((response) => void response.writeHead(status).end(body));
const said = (reply: unknown) => says(200, JSON.stringify(reply));
const HOUR = 60 * 60_000;

describe('a partner', () => {
  it('says yes to what it is asked, signed with the secret that was shown once', async () => {
    const task = (await add('Order number')).json.id;
    const { secret } = (await send(leader, `/tasks/${task}/partner-secret`)).json;
    const before = await forReview();
    const made = await claim(task, '4711');
    expect(made).toMatchObject({ state: 'checking', checks: [{ what: 'partner', ok: null }] });
    expect(await forReview()).toBe(before);
    said({ ok: true, message: 'Ticket 4711, row 3.' });
    await run();
    const [{ path, body, headers } = { path: '', body: '', headers: {} }] = partner.received;
    expect(path).toBe('/done?key=k');
    const [, time, sign] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['muster-signature'])) ?? [];
    expect(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')).toBe(sign);
    expect(JSON.parse(body)).toMatchObject({
      id: made.id,
      event: 'task.check',
      communityId: place.id,
      data: { taskId: task, period: 'once', answer: '4711', member: { id: member.userId } },
    });
    const counted = await now(made.id);
    expect(counted).toMatchObject({
      state: 'approved',
      decidedBy: null,
      checks: [{ what: 'partner', ok: true, note: 'hooks.example.org: Ticket 4711, row 3.' }],
      history: [
        { kind: 'submitted', actor: 'member' },
        { kind: 'checked', actor: 'server', from: 'checking', to: 'approved' },
        { kind: 'counted', points: 5 },
      ],
    });
    await run();
    expect(partner.received, 'it is asked once').toHaveLength(1);
  });

  it('says no in words that are plain, and may be asked again', async () => {
    const task = (await add()).json.id;
    const made = await claim(task);
    said({ ok: false, message: `No ticket\u202e yet\n<b>${'x'.repeat(2_000)}` });
    await run();
    const turnedDown = await now(made.id);
    expect(turnedDown).toMatchObject({ state: 'rejected', decidedBy: null, mayAppeal: true });
    expect(turnedDown.reason).toMatch(/^hooks\.example\.org: No ticket yet <b>x+…$/);
    expect([...turnedDown.reason].length).toBeLessThanOrEqual(320);
    expect(Date.parse(turnedDown.retryAt)).toBeGreaterThan(server.runtime.now().getTime());
    expect(await server.sql`select from point_events where task_id = ${task}`).toHaveLength(0);
  });

  it.each([
    ['500', () => says(500, 'down'), '500'],
    [
      'a redirect',
      () => partner.answer((r) => void r.writeHead(302, { location: 'https://example.org/' }).end()),
      '302',
    ],
    ['no JSON', () => says(200, '<html>'), 'NO_ANSWER'],
    ['no yes or no', () => said({ ok: 'true' }), 'NO_ANSWER'],
    ['a body without an end', () => partner.answer((r) => void r.writeHead(200).end('x'.repeat(900_000))), 'TOO_LONG'],
    ['silence', () => partner.answer(() => undefined), 'TIMEOUT'],
    ['half an answer', () => partner.answer((r) => void r.writeHead(200).write('{"ok":')), 'TIMEOUT'],
  ])('that gives %s is asked again later, and its yes counts then', async (_, answer, word) => {
    const made = await claim((await add()).json.id);
    answer();
    await run(0, partner.world, 400);
    const waiting = await now(made.id);
    expect(waiting).toMatchObject({ state: 'checking', checks: [{ what: 'partner', ok: null }] });
    expect(waiting.checks[0].note).toContain(word);
    expect(partner.received).toHaveLength(1);
    await run();
    expect(partner.received, 'not at once').toHaveLength(1);
    said({ ok: true });
    await run(HOUR);
    expect(await now(made.id)).toMatchObject({ state: 'approved' });
    expect(JSON.parse(partner.received[1]?.body ?? '').id, 'the same question').toBe(made.id);
  });

  it('that leads into the server’s own network is never called', async () => {
    for (const url of ['https://127.0.0.1/', 'http://hooks.example.org/', 'https://hooks.example.org:8443/'])
      expect((await add('', url)).json, url).toMatchObject({ reason: 'URL_NOT_ALLOWED' });
    const made = await claim((await add()).json.id);
    const before = partner.connections();
    await run(0, { port: partner.world.port, ca: partner.world.ca ?? '', resolve: answering('127.0.0.1') });
    expect(partner.connections()).toBe(before);
    expect((await now(made.id)).checks[0].note).toContain('ADDRESS');
  });

  it('that answers for a day to nobody leaves the claim to a reviewer, who is told', async () => {
    const before = await forReview();
    const made = await claim((await add()).json.id);
    says(500, '');
    for (let hour = 0; hour <= 26; hour += 1) await run(hour * HOUR);
    const left = await now(made.id);
    expect(left.checks[0].note).toContain('A reviewer decides');
    expect(await forReview()).toBe(before + 1);
    const decision = { decision: 'approve', version: left.version };
    expect((await send(leader, `/claims/${made.id}/decision`, decision)).json).toMatchObject({ state: 'approved' });
  });

  it('is not heard about a claim that a reviewer has decided meanwhile', async () => {
    const made = await claim((await add()).json.id);
    await send(leader, `/claims/${made.id}/decision`, { decision: 'reject', reason: 'Wrong day' });
    said({ ok: true });
    await run();
    expect(await now(made.id)).toMatchObject({ state: 'rejected', reason: 'Wrong day' });
    expect(await server.sql`select from partner_checks where claim_id = ${made.id}`).toHaveLength(0);
  });

  it('is asked what its leader wants typed, which members see with its host and nothing else of its address', async () => {
    const task = (await add('Order number')).json.id;
    expect(await claim(task)).toMatchObject({ reason: 'EVIDENCE_REQUIRED' });
    const seen = await server.request('GET', `/api/communities/${place.id}/tasks/${task}`, { cookie: member.cookie });
    expect(seen.json.ask).toEqual({ kind: 'partner', host: 'hooks.example.org', asks: 'Order number' });
    expect(await server.sql`select from claims where task_id = ${task}`).toHaveLength(0);
    expect((await send(member, `/tasks/${task}/partner-secret`)).status).toBe(403);
    const other = await send(leader, '/tasks', {
      setup: { kind: 'check_in' },
      title: 'Hello',
      instructions: '',
      points: 1,
      recurrence: 'once',
    });
    expect((await send(leader, `/tasks/${other.json.id}/partner-secret`)).status).toBe(404);
  });
});
