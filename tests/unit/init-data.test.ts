import { createHash, createHmac } from 'node:crypto';
import { sign } from '@tma.js/init-data-node';
import { describe, expect, it } from 'vitest';
import { verifyInitData } from '../../server/integrations/telegram/init-data.ts';
import { verifyLegacyLogin } from '../../server/integrations/telegram/legacy-login.ts';
import { fc, runs } from '../support/chance.ts';

/** Published by tma.js (init-data-node, README and tests): Telegram's own strings with the tokens they were signed for. */
const PLAIN = {
  botToken: '5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8',
  authDate: 1662771648,
  initData:
    'query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D&auth_date=1662771648&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2',
};
/** The same project's string of a client that sends `signature`: the hash covers it. */
const WITH_SIGNATURE = {
  botToken: '7342037359:AAHI25ES9xCOMPokpYoz-p8XVrZUdygo2J4',
  authDate: 1733509682,
  initData:
    'user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%20%2B%20-%20%3F%20%5C%2F%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%2C%22allows_write_to_pm%22%3Atrue%2C%22photo_url%22%3A%22https%3A%5C%2F%5C%2Ft.me%5C%2Fi%5C%2Fuserpic%5C%2F320%5C%2F4FPEE4tmP3ATHa57u6MqTDih13LTOiMoKoLDRG4PnSA.svg%22%7D&chat_instance=8134722200314281151&chat_type=private&auth_date=1733509682&signature=TYJxVcisqbWjtodPepiJ6ghziUL94-KNpG8Pau-X7oNNLNBM72APCpi_RKiUlBvcqo5L-LAxIc3dnTzcZX_PDg&hash=a433d8f9847bd6addcc563bff7cc82c89e97ea0d90c11fe5729cae6796a36d73',
};
/** Signed by Telegram's production key for bot 7342037359 (tma.js, `validate3rd`). */
const THIRD_PARTY = {
  proof: { botId: '7342037359', environment: 'production' } as const,
  authDate: 1733584787,
  initData:
    'user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%20%2B%20-%20%3F%20%5C%2F%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%2C%22allows_write_to_pm%22%3Atrue%2C%22photo_url%22%3A%22https%3A%5C%2F%5C%2Ft.me%5C%2Fi%5C%2Fuserpic%5C%2F320%5C%2F4FPEE4tmP3ATHa57u6MqTDih13LTOiMoKoLDRG4PnSA.svg%22%7D&chat_instance=8134722200314281151&chat_type=private&auth_date=1733584787&hash=2174df5b000556d044f3f020384e879c8efcab55ddea2ced4eb752e93e7080d6&signature=zL-ucjNyREiHDE8aihFwpfR9aggP2xiAo3NSpfe-p7IbCisNlDKlo7Kb6G4D0Ao2mBrSgEk4maLSdv6MLIlADQ',
};

const secondsAfter = (authDate: number, seconds: number) => new Date((authDate + seconds) * 1000);
const check = (vector: typeof PLAIN, initData = vector.initData, seconds = 1) =>
  verifyInitData(initData, { botToken: vector.botToken }, secondsAfter(vector.authDate, seconds));

/** What a string says once decoded; two spellings of one thing are no forgery. */
function meaning(initData: string): string | null {
  try {
    const pairs = initData.split('&').map((pair) => decodeURIComponent(pair.replaceAll('+', ' ')));
    return JSON.stringify(pairs.sort());
  } catch {
    return null;
  }
}

/** The string with one bit of one byte turned over. */
const flipped = (text: string) =>
  fc.tuple(fc.nat(text.length - 1), fc.nat(6)).map(([at, bit]) => {
    const bytes = Buffer.from(text, 'latin1');
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
    return bytes.toString('latin1');
  });

describe('a Mini App’s initData under the bot token', () => {
  it('accepts Telegram’s published strings, with and without `signature`', () => {
    for (const vector of [PLAIN, WITH_SIGNATURE]) {
      const checked = check(vector);
      expect(checked).toMatchObject({ ok: true, value: { telegramUserId: '279058397', username: 'vdkfrost' } });
    }
    expect(check(WITH_SIGNATURE)).toMatchObject({ value: { displayName: 'Vladislav + - ? / Kibenko' } });
  });

  it('agrees with the library that the ecosystem signs with', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 50 }),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1_000_000_000, max: 2 ** 31 - 1 }),
        (id, name, authDate) => {
          const raw = sign({ user: { id, first_name: name } }, PLAIN.botToken, new Date(authDate * 1000));
          const checked = verifyInitData(raw, { botToken: PLAIN.botToken }, secondsAfter(authDate, 1));
          expect(checked).toMatchObject({ ok: true, value: { telegramUserId: String(id) } });
        },
      ),
    );
  });

  it('refuses the string with any byte turned over', () => {
    for (const vector of [PLAIN, WITH_SIGNATURE]) {
      fc.assert(
        fc.property(flipped(vector.initData), (forged) => {
          fc.pre(meaning(forged) !== meaning(vector.initData));
          expect(check(vector, forged).ok).toBe(false);
        }),
        { numRuns: runs(300) },
      );
    }
  });

  it('takes nothing older than ten minutes nor more than a minute ahead', () => {
    expect(check(PLAIN, PLAIN.initData, 600).ok).toBe(true);
    expect(check(PLAIN, PLAIN.initData, 601)).toEqual({ ok: false, problem: 'STALE' });
    expect(check(PLAIN, PLAIN.initData, -60).ok).toBe(true);
    expect(check(PLAIN, PLAIN.initData, -61)).toEqual({ ok: false, problem: 'FROM_THE_FUTURE' });
  });

  it('refuses what could be read in two ways', () => {
    const signed = (pairs: string[]) => {
      const text = pairs.map((pair) => decodeURIComponent(pair)).sort();
      const key = createHmac('sha256', 'WebAppData').update(PLAIN.botToken).digest();
      return `${pairs.join('&')}&hash=${createHmac('sha256', key).update(text.join('\n')).digest('hex')}`;
    };
    const user = `user=${encodeURIComponent('{"id":7,"first_name":"A"}')}`;
    const date = `auth_date=${PLAIN.authDate}`;
    expect(check(PLAIN, signed([user, date])).ok).toBe(true);
    // What Telegram adds one day is signed like the rest; without an end it would be somebody else's work for us.
    expect(check(PLAIN, signed([user, date, 'field_to_come=1'])).ok).toBe(true);
    const many = (count: number) => Array.from({ length: count }, (_, n) => `field_${n}=1`);
    expect(check(PLAIN, signed([user, date, ...many(29)])).ok).toBe(true);
    expect(check(PLAIN, signed([user, date, ...many(30)]))).toEqual({ ok: false, problem: 'MALFORMED' });
    // Telegram lets people have these in their names, and signs them.
    for (const sign of ['\u007f', '\u0085', '\u009f']) {
      const named = `user=${encodeURIComponent(JSON.stringify({ id: 7, first_name: `Ma${sign}ya` }))}`;
      expect(check(PLAIN, signed([named, date]))).toMatchObject({ ok: true, value: { displayName: 'Ma ya' } });
    }
    const doubtful = [
      [user, user, date],
      [user, date, 'start_param=a%0Ab=c'],
      [user, date, 'start_param=%00'],
      [user, date, 'User=x'],
      [user, date, '=x'],
      [user, date, 'plain'],
    ];
    for (const pairs of doubtful) expect(check(PLAIN, signed(pairs)).ok, pairs.join('&')).toBe(false);
    expect(check(PLAIN, `${signed([user, date])}%`).ok).toBe(false);
    expect(check(PLAIN, '').ok).toBe(false);
    expect(check(PLAIN, signed([date])).ok).toBe(false);
    expect(check(PLAIN, signed([user])).ok).toBe(false);
    for (const body of ['{"id":"7"}', '{"id":-7}', '{"id":1.5}', '[]', 'null', '{', '{"id":7,"is_bot":true}']) {
      expect(check(PLAIN, signed([`user=${encodeURIComponent(body)}`, date])).ok, body).toBe(false);
    }
  });

  it('refuses a hash of another length, case or bot without throwing', () => {
    const hash = PLAIN.initData.slice(-64);
    for (const wrong of ['', hash.slice(1), `${hash}0`, hash.toUpperCase(), 'é'.repeat(64)]) {
      expect(check(PLAIN, PLAIN.initData.replace(hash, encodeURIComponent(wrong))).ok).toBe(false);
    }
    const other = verifyInitData(PLAIN.initData, { botToken: `${PLAIN.botToken}x` }, secondsAfter(PLAIN.authDate, 1));
    expect(other).toEqual({ ok: false, problem: 'WRONG_SIGNATURE' });
  });
});

describe('a Mini App’s initData under Telegram’s key', () => {
  const now = secondsAfter(THIRD_PARTY.authDate, 1);

  it('accepts the published string under the production key only, for its own bot only', () => {
    expect(verifyInitData(THIRD_PARTY.initData, THIRD_PARTY.proof, now)).toMatchObject({
      ok: true,
      value: { telegramUserId: '279058397' },
    });
    const wrong = { ok: false, problem: 'WRONG_SIGNATURE' };
    expect(verifyInitData(THIRD_PARTY.initData, { ...THIRD_PARTY.proof, environment: 'test' }, now)).toEqual(wrong);
    expect(verifyInitData(THIRD_PARTY.initData, { ...THIRD_PARTY.proof, botId: '1' }, now)).toEqual(wrong);
  });

  it('refuses any byte turned over outside the hash, which this proof does not cover', () => {
    const hash = /hash=[0-9a-f]{64}/;
    fc.assert(
      fc.property(flipped(THIRD_PARTY.initData), (forged) => {
        fc.pre(meaning(forged.replace(hash, '')) !== meaning(THIRD_PARTY.initData.replace(hash, '')));
        const checked = verifyInitData(forged, THIRD_PARTY.proof, now);
        // A turned hash letter is still a hash field; everything signed must be refused.
        if (checked.ok) expect(forged.replace(/hash=[^&]*/, '')).toBe(THIRD_PARTY.initData.replace(/hash=[^&]*/, ''));
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('the legacy login widget', () => {
  const botToken = PLAIN.botToken;
  const authDate = 1_700_000_000;
  /** Telegram's own recipe (core.telegram.org/widgets/login-legacy), written out. */
  const login = (fields: Record<string, string>) => {
    const text = Object.entries(fields)
      .map((pair) => pair.join('='))
      .sort()
      .join('\n');
    const key = createHash('sha256').update(botToken).digest();
    return new Map(Object.entries({ ...fields, hash: createHmac('sha256', key).update(text).digest('hex') }));
  };
  const maya = { id: '42', first_name: 'Maya', username: 'maya', auth_date: String(authDate) };

  it('accepts what Telegram signs', () => {
    expect(verifyLegacyLogin(login(maya), botToken, secondsAfter(authDate, 5))).toMatchObject({
      ok: true,
      value: { telegramUserId: '42', username: 'maya', displayName: 'Maya' },
    });
  });

  it('takes nothing older than five minutes nor more than a minute ahead', () => {
    const at = (seconds: number) => verifyLegacyLogin(login(maya), botToken, secondsAfter(authDate, seconds));
    expect(at(300).ok).toBe(true);
    expect(at(301)).toEqual({ ok: false, problem: 'STALE' });
    expect(at(-60).ok).toBe(true);
    expect(at(-61)).toEqual({ ok: false, problem: 'FROM_THE_FUTURE' });
  });

  it('refuses changed, unknown and ambiguous fields', () => {
    const at = secondsAfter(authDate, 5);
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(maya)), fc.string({ maxLength: 20 }), (key, value) => {
        const changed = login(maya);
        fc.pre(changed.get(key) !== value);
        changed.set(key, value);
        expect(verifyLegacyLogin(changed, botToken, at).ok).toBe(false);
      }),
    );
    expect(verifyLegacyLogin(login({ ...maya, role: 'admin' }), botToken, at).ok).toBe(false);
    expect(verifyLegacyLogin(login({ ...maya, first_name: 'Maya\nusername=root' }), botToken, at).ok).toBe(false);
    expect(verifyLegacyLogin(login({ ...maya, first_name: 'Ma\u0085ya' }), botToken, at)).toMatchObject({
      value: { displayName: 'Ma ya' },
    });
    expect(verifyLegacyLogin(login({ ...maya, id: '-42' }), botToken, at).ok).toBe(false);
    expect(verifyLegacyLogin(new Map(), botToken, at).ok).toBe(false);
  });

  it('and the Mini App refuse each other’s hashes', () => {
    const fields = { id: '42', first_name: 'Maya', auth_date: String(authDate), user: '{"id":42}' };
    const at = secondsAfter(authDate, 5);
    const asInitData = [...login(fields)].map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
    expect(verifyInitData(asInitData, { botToken }, at)).toEqual({ ok: false, problem: 'WRONG_SIGNATURE' });

    const { user: _, ...loginFields } = fields;
    const key = createHmac('sha256', 'WebAppData').update(botToken).digest();
    const text = Object.entries(loginFields)
      .map((pair) => pair.join('='))
      .sort()
      .join('\n');
    const crossed = new Map(
      Object.entries({ ...loginFields, hash: createHmac('sha256', key).update(text).digest('hex') }),
    );
    expect(verifyLegacyLogin(crossed, botToken, at)).toEqual({ ok: false, problem: 'WRONG_SIGNATURE' });
  });
});
