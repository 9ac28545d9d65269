import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { IMAGE_BYTES, IMAGES_PER_MEMBER_DAY, UNUSED_IMAGE_RETENTION_MS } from '../../server/contract/limits.ts';
import { sweepImages } from '../../server/features/images/images.ts';
import { ofFile } from '../support/of-file.ts';
import { JPEG, WEBP } from '../support/pictures.ts';
import { testServer } from '../support/server.ts';
import { community, memberOf, type TestCommunity } from '../support/world.ts';

let place: TestCommunity;

let member: { userId: string; cookie: string };
const server = await ofFile(testServer({ sandbox: false }));
const founder = (await server.person()).userId;

beforeEach(async () => {
  place = await community(server, founder);
  member = await memberOf(server, place.id, 'member');
});

const pathOf = (imageId: string, where = place) => `/api/communities/${where.id}/images/${imageId}`;
const put = (imageId: string, bytes: Buffer, type = 'image/webp', cookie = member.cookie) =>
  server.request('PUT', pathOf(imageId), { cookie, raw: new Uint8Array(bytes), headers: { 'content-type': type } });
const get = (imageId: string, cookie = member.cookie, where = place) =>
  server.request('GET', pathOf(imageId, where), { cookie });
const stored = async (imageId: string) => {
  const [row] = await server.sql<[{ count: number }]>`select count(*)::int from images where id = ${imageId}`;
  return row.count;
};

describe('a picture', () => {
  it('is stored under its device’s id, and sent again changes nothing', async () => {
    const id = randomUUID();
    for (let time = 0; time < 3; time += 1) {
      const reply = await put(id, WEBP);
      expect([reply.status, reply.json]).toEqual([200, { id, width: 24, height: 16 }]);
    }
    const twins = await Promise.all([1, 2, 3, 4].map(() => put(randomUUID(), JPEG, 'image/jpeg')));
    expect(twins.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const same = randomUUID();
    expect((await Promise.all([1, 2, 3, 4].map(() => put(same, WEBP)))).map(({ status }) => status)).toEqual([
      200, 200, 200, 200,
    ]);
    const other = await put(id, JPEG, 'image/jpeg');
    expect([other.status, other.json.reason]).toEqual([409, 'IMAGE_EXISTS']);
  });

  it('cannot be replaced, nor asked for, under another member’s id', async () => {
    const id = randomUUID();
    await put(id, WEBP);
    const second = await memberOf(server, place.id, 'member');
    expect((await put(id, WEBP, 'image/webp', second.cookie)).status).toBe(409);
    expect((await get(id, second.cookie)).status).toBe(404);
  });

  it('is sent as what it is and never as a page: to its member and to who reviews, and to nobody else', async () => {
    const id = randomUUID();
    await put(id, WEBP);
    const elsewhere = await community(server, founder);
    const [moderator, leader] = [
      await memberOf(server, place.id, 'moderator'),
      await memberOf(server, place.id, 'leader'),
    ];
    for (const who of [member, moderator, leader]) {
      const reply = await get(id, who.cookie);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toBe('image/webp');
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      expect(reply.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(reply.headers.get('cache-control')).toBe('private, no-cache');
    }
    const outsider = await memberOf(server, elsewhere.id, 'leader');
    expect((await get(id, outsider.cookie)).status).toBe(403);
    expect((await get(id, outsider.cookie, elsewhere)).status).toBe(404);
    await server.sql`delete from community_members where user_id = ${member.userId}`;
    expect((await get(id)).status).toBe(403);
    expect((await server.request('GET', pathOf(id))).status).toBe(401);
  });

  it.each([
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a page behind a picture', Buffer.concat([WEBP, Buffer.from('<script>alert(1)</script>')])],
    ['noise', randomBytes(2_000)],
    ['half a picture', WEBP.subarray(0, 300)],
  ])('is not %s', async (_, bytes) => {
    for (const type of ['image/webp', 'image/jpeg']) {
      const id = randomUUID();
      const reply = await put(id, bytes, type);
      expect([reply.status, reply.json.reason]).toEqual([422, 'IMAGE_INVALID']);
      expect(await stored(id)).toBe(0);
    }
  });

  it('of too many pixels is refused with how many there may be', async () => {
    const bytes = Buffer.from(JPEG);
    const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
    bytes.writeUInt16BE(4_000, frame + 5);
    bytes.writeUInt16BE(6_000, frame + 7);
    const reply = await put(randomUUID(), bytes, 'image/jpeg');
    expect([reply.status, reply.json.reason]).toEqual([422, 'IMAGE_TOO_LARGE']);
    expect(reply.json.message).toMatch(/6000 × 4000 pixels.*4096 at most/);
  });

  it('is refused as another type, without an id, and when it is empty', async () => {
    for (const type of ['image/svg+xml', 'text/html', 'image/png', 'application/octet-stream']) {
      expect((await put(randomUUID(), WEBP, type)).status, type).toBe(415);
    }
    expect((await put('no-id', WEBP)).status).toBe(404);
    expect((await put(randomUUID(), Buffer.alloc(0))).status).toBe(400);
  });

  it('of 20 MB is refused, said or unsaid beforehand', async () => {
    const id = randomUUID();
    const said = await put(id, Buffer.alloc(20 * 1024 * 1024, 1));
    expect([said.status, said.json.reason]).toEqual([413, 'BODY_TOO_LARGE']);
    expect(said.json.message).toContain(`${IMAGE_BYTES / 1024} kB`);
    expect((await put(id, Buffer.alloc(IMAGE_BYTES + 1, 1))).status).toBe(413);
    const unsaid = await new Promise<number | undefined>((done, fail) => {
      const { hostname, port } = new URL(server.url);
      const headers = {
        cookie: member.cookie,
        'content-type': 'image/webp',
        'transfer-encoding': 'chunked',
        'sec-fetch-site': 'same-origin',
      };
      const sending = request({
        hostname: hostname === 'localhost' ? '127.0.0.1' : hostname,
        port,
        method: 'PUT',
        path: pathOf(id),
        headers,
      });
      sending.on('response', (response) => {
        response.resume();
        done(response.statusCode);
      });
      sending.on('error', fail);
      const piece = Buffer.alloc(64 * 1024, 1);
      for (let sent = 0; sent < 20 * 1024 * 1024; sent += piece.length) sending.write(piece);
      sending.end();
    });
    expect(unsaid).toBe(413);
    expect(await stored(id)).toBe(0);
  });

  it('comes so many times a day', async () => {
    await server.sql`
      insert into images (id, community_id, user_id, type, width, height, sha256, bytes, created_at)
      select gen_random_uuid(), ${place.id}, ${member.userId}, 'image/webp', 1, 1, '', '', ${server.runtime.now()}
      from generate_series(1, ${IMAGES_PER_MEMBER_DAY})`;
    const reply = await put(randomUUID(), WEBP);
    expect([reply.status, reply.json.reason]).toEqual([429, 'TOO_MANY_IMAGES']);
  });

  it('that no claim came to show is swept, later', async () => {
    const [unused, used] = [randomUUID(), randomUUID()];
    await put(unused, WEBP);
    await put(used, JPEG, 'image/jpeg');
    await server.sql`update images set claim_id = ${place.claimId} where id = ${used}`;
    const at = (ms: number) =>
      sweepImages({ sql: server.sql, now: () => new Date(server.runtime.now().getTime() + ms) });
    await at(UNUSED_IMAGE_RETENTION_MS - 60_000);
    expect([await stored(unused), await stored(used)]).toEqual([1, 1]);
    await at(UNUSED_IMAGE_RETENTION_MS + 60_000);
    expect([await stored(unused), await stored(used)]).toEqual([0, 1]);
  });
});
