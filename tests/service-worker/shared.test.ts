/** What the system's share sheet hands over comes as a form: it is laid down for the page, whatever becomes of the network. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeCaches, installCaches, installFetch, installScope, ORIGIN } from './scope.ts';

let caches: FakeCaches;
beforeEach(() => {
  caches = installCaches();
  installFetch(() => Promise.reject(new TypeError('Failed to fetch')));
});
afterEach(() => vi.unstubAllGlobals());

async function share(form: FormData, path = '/share') {
  const scope = installScope();
  vi.stubGlobal('__BUILD__', 'build-1');
  vi.stubGlobal('__SHELL__', 'one');
  vi.stubGlobal('__SHELL_FILES__', []);
  vi.stubGlobal('__SHELL_REST__', '');
  vi.resetModules();
  await import('../../service-worker/index.ts');
  const event = scope.send('fetch', { request: new Request(ORIGIN + path, { method: 'POST', body: form }) });
  const response = await event.answer;
  return response && { status: response.status, to: response.headers.get('location') };
}
function picture(): FormData {
  const form = new FormData();
  form.set('title', 'The ford');
  form.set('picture', new File([new Uint8Array([137, 80, 78, 71])], 'ford.png', { type: 'image/png' }));
  return form;
}

test('the form is kept as it came, and the page opens', async () => {
  expect(await share(picture())).toEqual({ status: 303, to: `${ORIGIN}/share` });
  const kept = await (await (await caches.open('/share')).match('/share'))?.formData();
  expect(kept?.get('title')).toBe('The ford');
  const file = kept?.get('picture') as File;
  expect([file.type, new Uint8Array(await file.arrayBuffer())]).toEqual([
    'image/png',
    new Uint8Array([137, 80, 78, 71]),
  ]);
});

test('where there is no room, the page opens and hears of it', async () => {
  caches.isFull = true;
  expect(await share(picture())).toEqual({ status: 303, to: `${ORIGIN}/share?lost=1` });
});

test('forms to other addresses are the network’s', async () => {
  expect(await share(picture(), '/share/more')).toBeUndefined();
});
