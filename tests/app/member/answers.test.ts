import { describe, expect, it, test, vi } from 'vitest';
import { linkProblem } from '../../../app/kinds/submit-url/parts.tsx';
import { type Encode, fitting, redraw, takePicture } from '../../../app/shared/answers/picture.ts';
import { inWords, phaseOf } from '../../../app/shared/boards/season-words.ts';
import { IMAGE_BYTES } from '../../../server/contract/limits.ts';
import type { SeasonSummary } from '../../../server/contract/seasons.ts';

describe('a picture made small', () => {
  const blob = (size: number, type: string) => new Blob([new Uint8Array(size)], { type });
  /** A browser whose files grow with the side and the quality. */
  const browser = (perPixel: number, types: string[]): { encode: Encode; tried: [number, string][] } => {
    const tried: [number, string][] = [];
    return {
      tried,
      encode: async (side, type, quality) => {
        tried.push([side, type]);
        return blob(Math.round(side * side * quality * perPixel), types.includes(type) ? type : 'image/png');
      },
    };
  };

  it('is the first WebP that fits, the sharpest first', async () => {
    const { encode, tried } = browser(0.25, ['image/webp', 'image/jpeg']);
    const picture = await fitting(encode);
    expect(picture?.type).toBe('image/webp');
    expect(picture?.size).toBeLessThanOrEqual(IMAGE_BYTES);
    expect(tried[0]).toEqual([1_600, 'image/webp']);
    expect(tried.every(([, type]) => type === 'image/webp')).toBe(true);
    expect(tried.at(-1)?.[0]).toBe(1_280);
  });

  it('is a JPEG where the browser gives something else for WebP', async () => {
    const { encode } = browser(0.01, ['image/jpeg']);
    expect((await fitting(encode))?.type).toBe('image/jpeg');
  });

  it('is none where nothing fits, or the browser draws nothing', async () => {
    expect(await fitting(browser(10, ['image/webp']).encode)).toBeNull();
    expect(await fitting(async () => null)).toBeNull();
  });
});

test('the picture that is shown is the one chosen last, also where an earlier one takes longer to be made small', async () => {
  const drawn: string[] = [];
  const pending: (() => void)[] = [];
  const pen = { fillRect: () => undefined, drawImage: ({ name }: { name: string }) => void drawn.push(name) };
  const canvas = {
    getContext: () => pen,
    toBlob: (done: BlobCallback, type: string) =>
      void pending.push(() => done(new Blob([new Uint8Array(IMAGE_BYTES + 1)], { type }))),
  } as unknown as HTMLCanvasElement;
  vi.stubGlobal('createImageBitmap', async (file: File) => ({
    name: file.name,
    width: 9,
    height: 9,
    close: () => undefined,
  }));
  let isWanted = true;
  const earlier = redraw(new File([], 'earlier'), canvas, () => isWanted);
  await vi.waitFor(() => expect(drawn).toEqual(['earlier']));
  isWanted = false;
  pending.shift()?.();
  expect(await earlier).toBeNull();
  expect(drawn).toEqual(['earlier']);
  vi.unstubAllGlobals();
});

describe('where a canvas', () => {
  const APP1 = [0xff, 0xe1, 0, 6, 69, 120, 105, 102];
  const [BEGIN, TABLE, SCAN] = [
    [0xff, 0xd8],
    [0xff, 0xdb, 0, 4, 1, 2],
    [0xff, 0xda, 0, 4, 1, 2, 7, 7, 0xff, 0xd9],
  ];
  const photo = (size = 0, type = 'image/jpeg') =>
    new Blob([Uint8Array.from([...BEGIN, ...APP1, ...TABLE, ...SCAN]), new Uint8Array(size)], { type });
  /** A browser whose canvases tell the truth or lie, and what was put on the page's canvas. */
  function browser(isTrue: boolean, side = 9) {
    const shown: unknown[] = [];
    const data = new Uint8ClampedArray(256);
    const pen = {
      fillStyle: '',
      fillRect(x: number, y: number) {
        const colour = pen.fillStyle.match(/\d+/g)?.map(Number) ?? [];
        if (isTrue) data.set([...colour, 255], (y * 8 + x) * 4);
        // What is one colour is left alone.
        else data.fill(7);
      },
      drawImage: ({ of }: { of: Blob }) => void shown.push(of),
      getImageData: () => ({ data }),
    };
    const toBlob = (done: BlobCallback, type: string) => done(new Blob(['small'], { type }));
    const canvas = { getContext: () => pen, toBlob } as unknown as HTMLCanvasElement;
    vi.stubGlobal('document', { createElement: () => canvas });
    vi.stubGlobal('createImageBitmap', async (of: Blob) => ({ of, width: side, height: side, close: () => undefined }));
    return { shown, take: (file: Blob) => takePicture(file, canvas, () => true) };
  }

  it('tells the truth, a picture is made small, and the bytes that are sent are shown', async () => {
    const { shown, take } = browser(true);
    const taken = await take(photo(IMAGE_BYTES));
    expect(taken).toMatchObject({ kind: 'ready', picture: { type: 'image/webp' } });
    expect(shown.at(-1)).toBe((taken as { picture: Blob }).picture);
  });
  it('lies, a small file goes as it is, without what its camera wrote, and is what is shown', async () => {
    const { shown, take } = browser(false);
    const taken = (await take(photo())) as { kind: string; picture: Blob };
    expect([taken.kind, taken.picture.type]).toEqual(['ready', 'image/jpeg']);
    expect([...new Uint8Array(await taken.picture.arrayBuffer())]).toEqual([...BEGIN, ...TABLE, ...SCAN]);
    expect(shown).toEqual([taken.picture]);
    const webp = new Blob(['RIFF'], { type: 'image/webp' });
    expect(await take(webp)).toEqual({ kind: 'ready', picture: webp });
  });
  it.each([
    ['one that is too large', () => photo(IMAGE_BYTES), 9],
    ['one of too many pixels', () => photo(), 5_000],
    ['one of a type that the server does not take', () => photo(0, 'image/png'), 9],
  ])('lies, nothing is made of %s', async (_what, file, side) => {
    expect(await browser(false, side).take(file())).toEqual({ kind: 'untrue' });
  });
});

describe('a link of a member', () => {
  it.each([
    ['https://example.org/a', [], null],
    ['http://example.org', [], null],
    ['example.org/a', [], 'link'],
    ['javascript:alert(1)', [], 'link'],
    ['https://mira:secret@example.org', [], 'link'],
    ['https://localhost/a', [], 'link'],
    ['https://docs.example.org/a', ['example.org'], null],
    ['https://badexample.org/a', ['example.org'], 'host'],
    ['https://example.org.evil.test/', ['example.org'], 'host'],
  ])('%s at %j: %s', (url, hosts, problem) => {
    expect(linkProblem(url, hosts)).toBe(problem);
  });
});

describe('how long a season still runs', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  const season: SeasonSummary = {
    id: 's',
    name: 'Autumn',
    state: 'live',
    startsAt: '2026-11-01T00:00:00.000Z',
    endsAt: '2026-11-22T12:00:00.000Z',
    graceUntil: '2026-11-24T12:00:00.000Z',
  };

  it.each([
    ['2026-11-26T11:00:00.000Z', 'in 4 days'],
    ['2026-11-22T12:00:00.000Z', 'in 24 hours'],
    ['2026-11-21T13:59:00.000Z', 'in 119 minutes'],
    ['2026-11-21T11:00:00.000Z', 'in 0 minutes'],
  ])('%s is %s', (at, words) => {
    expect(inWords(at, now)).toBe(words);
  });

  it('goes on by the clock of the device where its copy does not', () => {
    const at = (time: string) => phaseOf(season, Date.parse(time));
    expect(at('2026-11-22T11:59:59.000Z')).toBe('live');
    expect(at('2026-11-22T12:00:00.000Z')).toBe('grace');
    expect(at('2026-11-24T12:00:00.000Z')).toBe('frozen');
    expect(phaseOf({ ...season, state: 'draft' }, now)).toBe('draft');
  });
});
