import { describe, expect, it } from 'vitest';
import { readSimilar } from '../../server/features/claims/review.ts';
import { readTask } from '../../server/features/claims/task-with-claim.ts';
import { createTask } from '../../server/features/tasks/tasks.ts';
import { refusal } from '../support/engagement.ts';
import { NOON, openTaskStage } from '../support/task-stage.ts';

const { db, on, place, member, claim } = await openTaskStage();

describe('what members send in', () => {
  it('submit_text holds to its least length and marks what somebody else sent', async () => {
    const task = await on.task(place, { setup: { kind: 'submit_text', minLength: 10 } });
    for (const text of ['short', `short${'\u200b'.repeat(9)}`, `sho${'\u0301'.repeat(9)}rt`, `sh${' '.repeat(9)}ort`]) {
      expect(await refusal(claim(task, { kind: 'submit_text', text })), JSON.stringify(text)).toMatchObject({
        status: 422,
        reason: 'EVIDENCE_TOO_SHORT',
        details: { minLength: 10 },
      });
    }
    expect(await claim(task, { kind: 'submit_text', text: 'We walked up.' })).toMatchObject({
      state: 'submitted',
      checks: [],
    });
    const copy = await claim(task, { kind: 'submit_text', text: 'WE  walked up!' }, { by: await on.member(place.id) });
    expect(copy).toMatchObject({ state: 'checking', checks: [{ what: 'likeness', ok: false }] });
  });

  it('submit_url takes links of the web, of its hosts only', async () => {
    const task = await on.task(place, { setup: { kind: 'submit_url', hosts: ['example.org'] } });
    for (const url of [
      'javascript:alert(1)//example.org',
      'data:text/html,hello',
      'https://example.org.evil.net/',
      'https://evilexample.org/',
      'https://user:pass@example.org/',
      'https://example.org@evil.net/',
      'ftp://example.org/file',
      'not a link at all',
      'https://localhost/x',
    ]) {
      expect(await refusal(claim(task, { kind: 'submit_url', url })), url).toMatchObject({
        status: 422,
        reason: 'URL_NOT_ALLOWED',
        details: { hosts: ['example.org'] },
      });
    }
    const sent = await claim(task, { kind: 'submit_url', url: 'https://WWW.Example.org/a b#top', note: 'mine' });
    expect(sent).toMatchObject({
      state: 'submitted',
      evidence: { url: 'https://www.example.org/a%20b', note: 'mine' },
    });
  });

  it('submit_url takes names in any script, however host and link are written', async () => {
    const editor = { communityId: place.id, userId: place.leader, now: NOON };
    const create = (...hosts: string[]) =>
      db.sql.begin((tx) =>
        createTask(tx, editor, {
          setup: { kind: 'submit_url', hosts },
          title: 'Your page',
          instructions: '',
          points: 5,
          recurrence: 'daily',
        }),
      );
    for (const host of ['a.example/path', 'a.example:8', 'me@a.example', 'a.example?', 'a example', 'bücher', '..'])
      expect(await refusal(create(host)), host).toMatchObject({ status: 400, reason: 'INVALID_INPUT' });
    const { id } = await create('Bücher.example', 'xn--bcher-kva.example', '例え。テスト');
    const shown = await readTask(
      db.sql,
      { communityId: place.id, userId: member, timeZone: 'UTC', role: 'member', now: NOON },
      id,
    );
    expect(shown.ask).toMatchObject({ hosts: ['xn--bcher-kva.example', 'xn--r8jz45g.xn--zckzah'] });
    const send = (url: string) => on.member(place.id).then((by) => claim(id, { kind: 'submit_url', url }, { by }));
    for (const url of ['https://bücher.example/', 'https://WWW.BÜCHER.example/a', 'https://xn--bcher-kva.example/b'])
      expect(await send(url), url).toMatchObject({ state: 'submitted', evidence: { url: new URL(url).href } });
    // Its e and x are Cyrillic.
    expect(await refusal(send('https://bücher.ехample/'))).toMatchObject({ reason: 'URL_NOT_ALLOWED' });
  });

  it('submit_url keeps a fragment that is the page’s own address, and tells two of them apart', async () => {
    const task = await on.task(place, { setup: { kind: 'submit_url', hosts: [] } });
    for (const fragment of ['#@ridge', '#-1002', '#/room/1', '#!/room/2', '#1002']) {
      const url = `https://web.telegram.org/k/${fragment}`;
      const sent = await claim(task, { kind: 'submit_url', url }, { by: await on.member(place.id) });
      expect(sent, fragment).toMatchObject({ state: 'submitted', evidence: { url } });
    }
    const same = { kind: 'submit_url', url: 'https://web.telegram.org/k/#@ridge' } as const;
    expect(await claim(task, same)).toMatchObject({ state: 'checking' });
  });

  it('submit_image shows a picture of the member’s own, and marks one that somebody else sent', async () => {
    const task = await on.task(place, { kind: 'submit_image' });
    const image = async (owner: string, bytes: string) => {
      const [row] = await db.sql<[{ id: string }]>`
        insert into images (id, community_id, user_id, type, width, height, sha256, bytes)
        values (gen_random_uuid(), ${place.id}, ${owner}, 'image/webp', 1, 1, sha256(${bytes}::bytea), ${bytes}::bytea) returning id`;
      return row.id;
    };
    const other = await on.member(place.id);
    const [mine, theirs] = [await image(member, 'the same'), await image(other, 'the same')];
    for (const imageId of [theirs, crypto.randomUUID()]) {
      expect(await refusal(claim(task, { kind: 'submit_image', imageId }))).toMatchObject({
        status: 422,
        reason: 'IMAGE_INVALID',
      });
    }
    const first = await claim(task, { kind: 'submit_image', imageId: mine });
    expect(first).toMatchObject({ state: 'submitted' });
    expect(await db.sql`select claim_id as id from images where id = ${mine}`).toEqual([{ id: first.id }]);
    expect(await claim(task, { kind: 'submit_image', imageId: theirs }, { by: other })).toMatchObject({
      state: 'checking',
      checks: [{ what: 'likeness', ok: false, note: 'Someone else sent the same' }],
    });
    // The same file chosen once more is another picture of the same bytes.
    const elsewhere = await on.task(place, { kind: 'submit_image' });
    const again = await claim(elsewhere, { kind: 'submit_image', imageId: await image(member, 'the same') });
    expect(again).toMatchObject({
      state: 'checking',
      checks: [{ what: 'likeness', ok: false, note: 'The same member sent this picture before' }],
    });
    const alike = await readSimilar(db.sql, { communityId: place.id, claimId: again.id });
    expect(alike.map(({ claim: { id }, likeness }) => [id, likeness])).toEqual([[first.id, 1]]);
    // What was sent back is answered with the same picture, and what was turned down is sent where it belongs.
    await db.sql`update claims set state = 'rejected' where id = ${first.id}`;
    await db.sql`update claims set state = 'changes_requested' where id = ${again.id}`;
    const third = await on.task(place, { kind: 'submit_image' });
    expect(await claim(third, { kind: 'submit_image', imageId: await image(member, 'the same') })).toMatchObject({
      state: 'submitted',
      checks: [],
    });
  });
});
