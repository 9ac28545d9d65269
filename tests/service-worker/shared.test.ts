/** What the system's share sheet hands over comes as a form: it is laid down for the page, whatever becomes of the network. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeCaches, installCaches, installFetch, installScope, ORIGIN } from './scope.ts';

let caches: FakeCaches;
beforeEach(() => {
  caches = installCaches();
  installFetch(() => Promise.reject(new TypeError('Failed to fetch')));
});
afterEach(() => vi.unstubAllGlobals());

async function share(form: FormData, path = '/share', told: { referrer?: string; site?: string } = {}) {
  const scope = installScope();
  vi.stubGlobal('__BUILD__', 'build-1');
  vi.stubGlobal('__SHELL__', 'one');
  vi.stubGlobal('__SHELL_FILES__', []);
  vi.stubGlobal('__SHELL_REST__', '');
  vi.resetModules();
  await import('../../service-worker/index.ts');
  const request = new Request(ORIGIN + path, { method: 'POST', body: form });
  if (told.site) request.headers.set('sec-fetch-site', told.site);
  if (told.referrer !== undefined) Object.defineProperty(request, 'referrer', { value: told.referrer });
  const event = scope.send('fetch', { request });
  const response = await event.answer;
  return response && { status: response.status, to: response.headers.get('location') };
}
function picture(): FormData {
  const form = new FormData();
  form.set('title', 'The ford');
  form.set('picture', new File([new Uint8Array([137, 80, 78, 71])], 'ford.png', { type: 'image/png' }));
  return form;
}

/** The forms that wait, in their order. */
async function kept(): Promise<FormData[]> {
  const box = await caches.open('/share');
  const forms: FormData[] = [];
  for (const place of await box.keys()) forms.push(await ((await box.match(place)) as Response).formData());
  return forms;
}

test('the form is kept as it came, and the page opens', async () => {
  expect(await share(picture())).toEqual({ status: 303, to: `${ORIGIN}/share` });
  const [form] = await kept();
  expect(form?.get('title')).toBe('The ford');
  const file = form?.get('picture') as File;
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

test.each([
  ['with its address', { referrer: 'https://elsewhere.example/page' }],
  ['of another port of this host', { referrer: `${ORIGIN}1/` }],
  ['that the browser tells of', { referrer: '', site: 'cross-site' }],
  ['of the same site', { referrer: '', site: 'same-site' }],
])('a form of another site’s page %s is not taken, and the page says so', async (_what, told) => {
  expect(await share(picture(), '/share', told)).toEqual({ status: 303, to: `${ORIGIN}/share?lost=foreign` });
  expect(await kept()).toEqual([]);
});

test.each([{ referrer: '' }, { referrer: 'about:client' }, { referrer: 'android-app://org.example', site: 'none' }])(
  'what the system hands over is taken: %j',
  async (told) => {
    expect(await share(picture(), '/share', told)).toEqual({ status: 303, to: `${ORIGIN}/share` });
  },
);

test('nothing takes the place of what waits there, and too much is told', async () => {
  const text = (of: string) => {
    const form = new FormData();
    form.set('text', of);
    return form;
  };
  for (let nth = 0; nth < 10; nth += 1) expect((await share(text(`${nth}`)))?.to).toBe(`${ORIGIN}/share`);
  expect((await share(text('ten')))?.to).toBe(`${ORIGIN}/share?lost=1`);
  const said = (await kept()).map((form) => form.get('text'));
  expect(said).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
});
