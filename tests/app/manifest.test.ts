/** Every address in the manifest has something behind it (style.md: "Every URL in the manifest has a test"). */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { m } from '../../app/paraglide/messages.js';
import { reservedNames } from '../../server/contract/pages.ts';

vi.mock('../../app/lib/device.ts', () => import('./quiet-device.ts'));

type Image = { src: string; sizes: string; type: string; purpose?: string; form_factor?: string; label?: string };
type Shortcut = { name: string; url: string; icons: Image[] };
const folder = resolve(import.meta.dirname, '../../app/public');
const manifest = JSON.parse(readFileSync(resolve(folder, 'manifest.webmanifest'), 'utf8')) as {
  id: string;
  start_url: string;
  scope: string;
  display: string;
  categories: string[];
  icons: Image[];
  shortcuts: Shortcut[];
  screenshots: Image[];
  share_target: { action: string; method: string; params: Record<string, unknown> };
};
const images = [...manifest.icons, ...manifest.screenshots, ...manifest.shortcuts.flatMap(({ icons }) => icons)];

/** Width and height of a PNG, from its header. */
function sizeOf(file: string): string {
  const bytes = readFileSync(file);
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}

test('it is one app of this whole origin, in a window of its own', () => {
  expect(manifest).toMatchObject({ id: '/', start_url: '/today', scope: '/', display: 'standalone' });
  expect(manifest.categories).toEqual(['social', 'productivity']);
});

test.each(images.map((image) => [image.src, image] as const))('%s is there in the size that is said', (src, image) => {
  const file = resolve(folder, `.${src}`);
  expect(existsSync(file)).toBe(true);
  if (image.type === 'image/svg+xml') expect(image.sizes).toBe('any');
  else expect(sizeOf(file)).toBe(image.sizes);
});

test.each(['any', 'maskable'])('icons for the purpose "%s" in 192 and 512 px', (purpose) => {
  const sizes = manifest.icons.filter((icon) => icon.purpose === purpose).map((icon) => icon.sizes);
  expect(sizes).toEqual(expect.arrayContaining(['192x192', '512x512']));
});

test.each(['narrow', 'wide'])('screenshots of %s screens, each with its words', (form) => {
  const shots = manifest.screenshots.filter(({ form_factor }) => form_factor === form);
  expect(shots.length).toBeGreaterThan(1);
  for (const { label } of shots) expect(label).toBeTruthy();
});

describe('addresses that open a screen', async () => {
  const { router } = await import('../../app/router.tsx');
  const opened = [manifest.start_url, manifest.share_target.action, ...manifest.shortcuts.map(({ url }) => url)];
  test.each(opened.map((url) => [url]))('%s has one, and no community can take its name', (url) => {
    const last = router.matchRoutes(url, {}).at(-1);
    expect(last?.routeId).toBe(url);
    expect(reservedNames('muster').has(url.slice(1))).toBe(true);
  });
  test('the first shortcut is the page that the app starts with, and all are called as in the menus', () => {
    expect(manifest.shortcuts[0]).toMatchObject({ url: manifest.start_url });
    expect(manifest.shortcuts.map(({ name }) => name)).toEqual([
      m.shell_today(),
      m.shell_to_communities(),
      m.shell_leaderboard(),
      m.member_explore(),
    ]);
  });
  test('what is shared comes as a form with its pictures, under the names that the page reads', () => {
    expect(manifest.share_target).toEqual({
      action: '/share',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'picture', accept: ['image/*'] }] },
    });
  });
});
