import { afterEach, describe, expect, test } from 'vitest';
import { type Outcome, post, type World } from '../../server/integrations/outward/post.ts';
import { ofFile } from '../support/of-file.ts';
import { answering, startReceiver } from '../support/receiver.ts';

const canary = await ofFile(startReceiver());

afterEach(() => {
  canary.received.length = 0;
  canary.answer((response) => void response.writeHead(200).end('ok'));
});

const call = (url: string, world: World, timeoutMs = 5_000): Promise<Outcome> =>
  post({ url: new URL(url), body: '{}', headers: { 'content-type': 'application/json' }, timeoutMs }, world);
/** The guard as it is, at the canary's port. */
const guarded = (resolve?: World['resolve']): World => ({
  port: canary.world.port,
  ca: canary.world.ca ?? '',
  ...(resolve ? { resolve } : {}),
});

describe('nothing inside is called', () => {
  // Which addresses are inside, in each spelling, unit/addresses tells.
  test.each([
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://hooks.example.org@127.0.0.1/',
    'https://hooks.example.org:8443/',
    'https://:secret@hooks.example.org/',
    'http://hooks.example.org/',
  ])('%s', async (url) => {
    expect(await call(url, guarded())).toEqual({ error: 'ADDRESS' });
    expect(canary.connections()).toBe(0);
  });

  test.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['10.1.2.3']],
    [['169.254.169.254']],
    [['1.1.1.1', '127.0.0.1']],
    [['127.0.0.1', '1.1.1.1']],
    [['2606:4700::1111', 'fd00::1']],
    [[]],
  ])('a name that leads to %j', async (addresses) => {
    const outcome = await call('https://hooks.example.org/', guarded(answering(...addresses)));
    expect(outcome).toEqual({ error: 'ADDRESS' });
    expect(canary.connections()).toBe(0);
  });

  test('localhost, as this machine itself resolves it', async () => {
    expect(await call('https://localhost/', guarded())).toEqual({ error: 'ADDRESS' });
    expect(canary.connections()).toBe(0);
  });

  test('a name that leads outside when it is checked and inside a moment later', async () => {
    let asked = 0;
    const [outside, inside] = [answering('127.0.0.2'), answering('127.0.0.1')];
    const world: World = {
      ...guarded((...args) => {
        asked += 1;
        (asked === 1 ? outside : inside)(...args);
      }),
      // 127.0.0.2 plays the open internet: nobody listens there.
      isAllowed: (address) => address === '127.0.0.2',
    };
    expect(await call('https://hooks.example.org/', world)).toEqual({ error: 'CONNECTION' });
    expect(asked).toBe(1);
    expect(canary.connections()).toBe(0);
  });
});

describe('what is outside', () => {
  test('is called with the body and the headers, once', async () => {
    expect(await call('https://hooks.example.org/a/b?c=d', canary.world)).toEqual({ status: 200 });
    expect(canary.received).toMatchObject([
      { path: '/a/b?c=d', body: '{}', headers: { host: 'hooks.example.org', 'content-type': 'application/json' } },
    ]);
  });

  test('cannot send us on', async () => {
    const inside = await startReceiver();
    canary.answer((response) => {
      response.writeHead(307, { location: `https://127.0.0.1:${inside.world.port}/` }).end();
    });
    expect(await call('https://hooks.example.org/', canary.world)).toEqual({ status: 307 });
    expect(inside.connections()).toBe(0);
    await inside.close();
  });

  test('must prove its name', async () => {
    const { ca: _, ...unknown } = canary.world;
    expect(await call('https://hooks.example.org/', unknown)).toEqual({ error: 'TLS' });
    expect(await call('https://other.example.org/', canary.world)).toEqual({ error: 'TLS' });
    expect(canary.received).toEqual([]);
  });

  test('has so much time and no more, however it drips', async () => {
    canary.answer(() => {});
    expect(await call('https://hooks.example.org/', canary.world, 300)).toEqual({ error: 'TIMEOUT' });
    canary.answer((response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await call('https://hooks.example.org/', canary.world, 300)).toEqual({ error: 'TIMEOUT' });
  });

  test('is read no further than 4 kB', async () => {
    let written = 0;
    const closed = new Promise<void>((done) => {
      canary.answer((response) => {
        response.writeHead(200);
        response.on('close', done);
        const more = () => {
          while (!response.destroyed && written < 200_000_000) {
            written += 65_536;
            if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
          }
        };
        more();
      });
    });
    expect(await call('https://hooks.example.org/', canary.world)).toEqual({ status: 200 });
    await closed;
    expect(written).toBeLessThan(20_000_000);
  });

  test('that changes the protocol has answered: nothing is waited for any longer', async () => {
    canary.answer(({ socket }) => {
      socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    });
    expect(await call('https://hooks.example.org/', canary.world, 300)).toEqual({ status: 101 });
  });

  test('that is not there is told apart from a slow one', async () => {
    const gone = await startReceiver();
    await gone.close();
    expect(await call('https://hooks.example.org/', gone.world)).toEqual({ error: 'CONNECTION' });
  });
});
