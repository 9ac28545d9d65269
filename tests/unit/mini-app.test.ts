import { describe, expect, test } from 'vitest';
import { addressOf, screenAt } from '../../app/features/mini/address.ts';
import { isAtLeast } from '../../app/features/mini/client.ts';
import { accentOf, contrast, schemeOf } from '../../app/features/mini/colours.ts';
import { readLaunch, readTheme } from '../../app/features/mini/launch.ts';
import { linkOf } from '../../app/features/mini/links.ts';
import { readWidgetReturn } from '../../app/features/mini/widget-return.ts';
import { readStartParam, startParamOf } from '../../server/rules/start-param.ts';
import { fc } from '../support/chance.ts';

const slug = fc.stringMatching(/^[a-z0-9-]{3,28}$/);

describe('a start parameter', () => {
  test('leads back to the place that it was made for, within what Telegram allows', () => {
    fc.assert(
      fc.property(fc.uuid(), slug, (task, community) => {
        const param = startParamOf({ task, community });
        expect(param).toMatch(/^[\w-]{1,64}$/);
        expect(readStartParam(param)).toBe(`/community/${community}/dashboard?task=${task}`);
        expect(readStartParam(startParamOf({ community }))).toBe(`/community/${community}`);
      }),
    );
    expect(readStartParam(startParamOf({ invite: 'Walk-1' }))).toBe('/i/Walk-1');
    expect(readStartParam(startParamOf('wizard'))).toBe('/community-leader-wizard');
  });
  test('that names nothing of ours leads nowhere', () => {
    for (const param of ['', 'x', 'c_', 'c_A', 'c_../admin', 't_short_walkers', 'i_a/b', 'w2'])
      expect(readStartParam(param), param).toBeNull();
    fc.assert(fc.property(fc.string(), (text) => (readStartParam(text) ?? '/').startsWith('/')));
  });
});

describe('an address of the Mini App', () => {
  test('holds the screen with its query and fragment', () => {
    for (const screen of ['/', '/community/a/dashboard?task=1&x=%26', '/terms#two']) {
      const url = new URL(addressOf(screen), 'https://muster.example');
      expect(url.pathname).toBe('/mini');
      expect(screenAt(url.search, url.hash)).toBe(screen);
    }
  });
  test('is no way out of the origin, and begins where the link says', () => {
    for (const search of ['?screen=//evil.example', '?screen=/%5Cevil.example', '?screen=https://evil.example', ''])
      expect(screenAt(search)).toBe('/');
    expect(screenAt('?tgWebAppStartParam=c_walkers')).toBe('/community/walkers');
    expect(screenAt('?screen=/profile&tgWebAppStartParam=c_walkers')).toBe('/profile');
  });
});

test('what Telegram hands over is read, and nothing else is taken for it', () => {
  const hash = new URLSearchParams({
    tgWebAppData: 'user=%7B%22id%22%3A1001%7D&hash=00',
    tgWebAppVersion: '8.0',
    tgWebAppThemeParams: '{"bg_color":"#212121","button_color":"red","text_color":7}',
  });
  expect(readLaunch(`#${hash}`)).toEqual({
    initData: 'user=%7B%22id%22%3A1001%7D&hash=00',
    telegramUserId: '1001',
    version: '8.0',
    theme: { bg_color: '#212121' },
  });
  for (const none of ['', '#top', '#tgWebAppVersion=x', '#tgWebAppData=user']) expect(readLaunch(none)).toBeNull();
  for (const odd of [null, 7, 'x', []]) expect(readTheme(odd)).toEqual({});
});

test('versions compare by their numbers', () => {
  expect([isAtLeast('7.10', '7.9'), isAtLeast('8', '8.0'), isAtLeast('6.9', '7.0')]).toEqual([true, true, false]);
});

describe('Telegram’s colours', () => {
  const light = ['#ffffff', '#f3f3eb', '#e9e9df'];
  test('choose the theme by their ground', () => {
    expect([schemeOf({ bg_color: '#ffffff' }), schemeOf({ bg_color: '#212121' }), schemeOf({})]).toEqual([
      'light',
      'dark',
      null,
    ]);
  });
  test('give an accent only where everything in it can be read', () => {
    // Telegram's own blue on white has 3.3.
    expect(contrast('#3390ec', '#ffffff')).toBeLessThan(4.5);
    expect(accentOf({ button_color: '#3390ec', button_text_color: '#ffffff' }, light)).toBeNull();
    expect(accentOf({ button_color: '#0f6f4f', button_text_color: '#ffffff' }, light)).toMatchObject({
      '--ink': '#0f6f4f',
      '--on-ink': '#ffffff',
    });
    const colour = fc.stringMatching(/^#[\da-f]{6}$/);
    fc.assert(
      fc.property(colour, colour, (accent, on) => {
        const given = accentOf({ button_color: accent, button_text_color: on }, light);
        for (const ground of given ? [...light, on, given['--ink-soft'] ?? ''] : [])
          expect(contrast(accent, ground)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

test('a link leaves through Telegram where the document could not show it', () => {
  const at = (href: string) => linkOf(href, 'https://muster.example');
  expect(at('https://t.me/walkers?x=1')).toEqual({ kind: 'telegram', path: '/walkers?x=1' });
  expect(at('https://x.com/intent/post')).toEqual({ kind: 'outside', url: 'https://x.com/intent/post' });
  expect(at('https://muster.example/api/auth/x/start?next=/')).toEqual({
    kind: 'outside',
    url: 'https://muster.example/profile-accounts',
  });
  expect(at('https://muster.example/api/auth/telegram/start?next=/')).toEqual({ kind: 'sign-in' });
  for (const own of ['https://muster.example/mini?screen=/', 'mailto:a@b.example', 'https://muster.example/api/x.csv'])
    expect(at(own)).toBeNull();
});

test('the login widget’s answer is read from behind the address alone', () => {
  expect(readWidgetReturn('?state=s', '#tgAuthResult=eyJpZCI6MX0=')).toEqual({ state: 's', result: 'eyJpZCI6MX0=' });
  for (const [search, hash] of [
    ['', '#tgAuthResult=e30'],
    ['?state=s', ''],
    ['?state=s', '#tgAuthResult=false&x=1'],
    ['?state=s&tgAuthResult=e30', ''],
  ] as const)
    expect(readWidgetReturn(search, hash)).toBeNull();
});
