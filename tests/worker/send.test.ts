import { afterEach, describe, expect, test, vi } from 'vitest';
import { BUILD_HEADER } from '../../server/contract/sw-messages.ts';
import { sendOverNetwork } from '../../worker/send.ts';

const OWN = { [BUILD_HEADER]: 'build-1' };
const asked: RequestInit[] = [];
function answering(response: () => Response): void {
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    asked.push(init);
    return response();
  });
}
const send = (body: unknown) =>
  sendOverNetwork({ method: 'PUT', path: '/api/x', headers: { 'X-Actor': 'A' }, body, credentials: 'include' });

afterEach(() => {
  asked.length = 0;
  vi.unstubAllGlobals();
});

describe('what goes over the network', () => {
  test('a Blob goes as it is, under its own type', async () => {
    answering(() => Response.json({ id: 'i' }, { headers: OWN }));
    const image = new Blob(['RIFF'], { type: 'image/webp' });
    expect(await send(image)).toMatchObject({ status: 200, body: { id: 'i' } });
    expect(asked[0]?.headers).toEqual({ 'X-Actor': 'A', 'content-type': 'image/webp' });
    expect(asked[0]?.body).toBe(image);
  });
  test('so do the bytes of an image', async () => {
    answering(() => Response.json({ id: 'i' }, { headers: OWN }));
    const { buffer: bytes } = new Uint8Array([82, 73, 70, 70]);
    await send({ type: 'image/webp', bytes });
    expect(asked[0]).toMatchObject({ headers: { 'X-Actor': 'A', 'content-type': 'image/webp' }, body: bytes });
  });
  test('anything else goes as JSON', async () => {
    answering(() => Response.json({}, { headers: OWN }));
    await send({ text: 'ä' });
    expect(asked[0]).toMatchObject({
      headers: { 'X-Actor': 'A', 'content-type': 'application/json' },
      body: '{"text":"ä"}',
    });
  });
  test('no body: no type either', async () => {
    answering(() => new Response(null, { status: 204, headers: OWN }));
    expect(await send(undefined)).toMatchObject({ status: 204, body: null });
    expect(asked[0]?.headers).toEqual({ 'X-Actor': 'A' });
    expect(asked[0]).not.toHaveProperty('body');
  });
});
