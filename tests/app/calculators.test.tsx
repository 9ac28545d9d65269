import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { CALCULATORS } from '../../app/features/calculators/catalogue.ts';
import { drawAt, json, refusal, serverOfEach } from './support.tsx';

const server = serverOfEach(() => json({ offered: false, failing: false, asOf: null, usd: {} }));

const open = (path: string) => drawAt(`/ai-defi-tools${path}`);
function board(): Element {
  const found = document.querySelector('.board [role=status]');
  if (!found) throw new Error('no board');
  return found;
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const searchOf = ({ router }: Awaited<ReturnType<typeof open>>) =>
  router.state.location.search as Record<string, unknown>;

describe('the list', () => {
  test('leads to every calculator', async () => {
    await open('');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Calculators');
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(links).toEqual(CALCULATORS.map(({ id }) => `/ai-defi-tools/${id}`));
    expect(CALCULATORS).toHaveLength(10);
  });
  test('stands where an address names none, and says so', async () => {
    await open('/moon-price');
    expect(screen.getByText(/no calculator at this address/)).toBeTruthy();
    expect(screen.getAllByRole('link')).toHaveLength(10);
  });
});

describe('a calculator', () => {
  test('says what its numbers come to: the sentence, then the parts', async () => {
    await open('/impermanent-loss');
    expect(board().textContent).toBe(
      'Compared with holding−2.02\u00a0%25.26\u00a0USD less than if you had kept both tokens',
    );
    const parts = screen
      .getAllByRole('term')
      .map((term) => `${term.textContent} ${term.nextElementSibling?.textContent}`);
    expect(parts).toEqual(['Held 1,250.00', 'In the pool 1,224.74', 'Fees needed to break even 2.06\u00a0%']);
    expect(screen.getByText('1.5 times the price then')).toBeTruthy();
    expect(screen.getByText(/3,000 ÷ 2,000 = 1.5: 2 × 1.2247 ÷ 2.5 − 1 = −0.0202/)).toBeTruthy();
    expect(screen.getByRole('link', { name: /Understanding returns/ }).getAttribute('href')).toMatch(/^https:/);
    expect(screen.getByText('Not advice.')).toBeTruthy();
  });

  test.each(CALCULATORS.map(({ id, name }) => [id, name()]))(
    '%s is drawn whole, without a number that is none',
    async (id, name) => {
      const { container } = await open(`/${id}`);
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(name);
      expect(screen.getByRole('img').querySelector('path')?.getAttribute('d')).toMatch(/^M[\d.]+ [\d.]+L/);
      expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/\d/);
      expect(container.innerHTML).not.toMatch(/NaN|Infinity|undefined|\[object/);
    },
  );

  test('follows what is typed, and the address follows it', async () => {
    const view = await open('/impermanent-loss');
    type('Price now, USD', '8,000');
    expect(board().textContent).toContain('−20.00\u00a0%');
    expect(searchOf(view)).toEqual({});
    await waitFor(() => expect(searchOf(view)).toEqual({ kind: 'full', in: '1000', was: '2000', now: '8000' }));
    // What was typed stays as it was typed.
    expect(field('Price now, USD').value).toBe('8,000');
    fireEvent.click(screen.getByRole('button', { name: 'Start again' }));
    expect(board().textContent).toContain('−2.02');
  });

  test('begins with the numbers of its address', async () => {
    await open('/impermanent-loss?kind=concentrated&in=500.25&was=100&now=150&low=80&high=200');
    expect(screen.getByRole('radio', { name: 'Concentrated' }).getAttribute('aria-checked')).toBe('true');
    expect([field('You put in, USD').value, field('Range to, USD').value]).toEqual(['500.25', '200']);
    expect(screen.getByText('Liquidity against the full range')).toBeTruthy();
  });

  test('says which of a link’s numbers it cannot use, and has the usual ones instead', async () => {
    await open('/impermanent-loss?in=1e999&was=-3&now=%3Cscript%3E&kind=sideways');
    expect(
      screen.getByText(/The link had values for Kind of pool, You put in, Price then,? and Price now/),
    ).toBeTruthy();
    expect(screen.getByText(/25.26/)).toBeTruthy();
    type('You put in, USD', '2000');
    expect(screen.queryByText(/The link had values/)).toBeNull();
  });

  test.each([
    ['', 'Enter a number.'],
    ['1,5', 'Enter a number, such as 1,234.5.'],
    ['0', 'Enter a number above 0, up to 1 × 10^18.'],
    ['9'.repeat(25), 'Enter a number above 0, up to 1 × 10^18.'],
  ])('says at the field what is wrong with “%s”', async (typed, words) => {
    const view = await open('/impermanent-loss?in=1000&was=2000&now=2500');
    type('Price now, USD', typed);
    expect(screen.getByRole('alert').textContent).toBe(words);
    expect(field('Price now, USD').getAttribute('aria-invalid')).toBe('true');
    expect(field('Price now, USD').getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id);
    expect(board().textContent).toContain('Waiting for a number');
    expect(String(searchOf(view)['now'])).toBe('2500');
  });

  test('says at the field what is wrong with numbers beside each other', async () => {
    await open('/impermanent-loss?kind=concentrated&low=3000&high=2000');
    expect(screen.getByRole('alert').textContent).toBe('The range must end above where it begins.');
    expect(field('Range to, USD').getAttribute('aria-invalid')).toBe('true');
    type('Range to, USD', '4000');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('shows numbers of any size as people read them', async () => {
    await open('/impermanent-loss?in=1000000000000000000&was=0.000000000001&now=1000000000000000000');
    expect(board().textContent).toContain('−100.00');
    expect(document.body.textContent).not.toMatch(/NaN|Infinity|\d{16}/);
  });

  test('puts its example into the fields', async () => {
    await open('/lending?debt=9000');
    expect(board().textContent).toContain('liquidated now');
    fireEvent.click(screen.getByRole('button', { name: 'Put in the example' }));
    expect(board().textContent).toContain('Health factor1.6Liquidated below 1,875');
  });
});

describe('the chart', () => {
  test('its slider moves the number, the point and the words', async () => {
    await open('/impermanent-loss');
    const slider = screen.getByRole<HTMLInputElement>('slider', { name: 'Price now, compared with then' });
    expect(slider.getAttribute('aria-valuetext')).toBe('× 1.5: −2.02\u00a0%');
    const before = screen.getByRole('img').querySelector('circle')?.getAttribute('cx');
    fireEvent.change(slider, { target: { value: Number(slider.value) + 1 } });
    const moved = field('Price now, USD').value;
    expect(Number(moved.replace(',', ''))).toBeGreaterThan(3000);
    expect(slider.getAttribute('aria-valuetext')).not.toContain('× 1.5:');
    expect(Number(screen.getByRole('img').querySelector('circle')?.getAttribute('cx'))).toBeGreaterThan(Number(before));
    fireEvent.change(slider, { target: { value: 0 } });
    expect([field('Price now, USD').value, slider.getAttribute('aria-valuetext')]).toEqual([
      '400',
      '× 0.2: −25.46\u00a0%',
    ]);
  });
  test('says the same as a table, with the reader’s own number in it', async () => {
    await open('/impermanent-loss?now=5000');
    const rows = within(screen.getByRole('table')).getAllByRole('row', { hidden: true }).slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      '× 0.25−20.00\u00a0%',
      '× 0.5−5.72\u00a0%',
      '× 0.8−0.62\u00a0%',
      '× 10.00\u00a0%',
      '× 1.25−0.62\u00a0%',
      '× 1.5−2.02\u00a0%',
      '× 2−5.72\u00a0%',
      '× 2.5−9.65\u00a0%',
      '× 4−20.00\u00a0%',
    ]);
    expect(rows.filter((row) => row.getAttribute('aria-current')).map((row) => row.textContent)).toEqual([
      '× 2.5−9.65\u00a0%',
    ]);
  });
});

describe('live prices', () => {
  const priced = (more: object = {}) => ({
    offered: true,
    failing: false,
    asOf: new Date().toISOString(),
    usd: { BTC: '64000.5', USDC: '0.9999' },
    ...more,
  });
  test('fill the field they are for, and say of when they are', async () => {
    server.answer(() => json(priced()));
    await open('/impermanent-loss');
    const select = await screen.findByLabelText<HTMLSelectElement>('Live price');
    expect(screen.getByText(/As of \d\d:\d\d, from this instance’s price source/)).toBeTruthy();
    fireEvent.change(select, { target: { value: 'BTC' } });
    expect(field('Price now, USD').value).toBe('64,000.5');
  });
  test('that fail say so, keep what is typed, and are asked for again', async () => {
    server.answer(() => json(priced({ failing: true, asOf: null, usd: {} })));
    await open('/lending?price=1234');
    expect(await screen.findByText(/price source isn’t answering right now/)).toBeTruthy();
    expect(field('Price now, USD').value).toBe('1,234');
    server.answer(() => json(priced()));
    fireEvent.click(screen.getByRole('button', { name: 'Ask again' }));
    expect(await screen.findByLabelText('Live price')).toBeTruthy();
  });
  test.each([
    ['are not offered', () => json(priced({ offered: false, usd: {} }))],
    ['cannot be asked for', () => refusal(500, 'BROKEN')],
  ])('that %s leave nothing on the page', async (_what, answer) => {
    server.answer(answer);
    await open('/gas-cost');
    await waitFor(() => expect(server.asked.map(({ url }) => url)).toContain('/api/prices'));
    expect(screen.queryByText(/price source|Live price/)).toBeNull();
    expect(board().textContent).toContain('1.32\u00a0USD');
  });
});

describe('the link with the numbers', () => {
  const link = 'http://localhost:3000/ai-defi-tools/gas-cost?gas=21000&base=20&tip=1&price=3000&count=1';
  test('goes to the system’s sheet where there is one', async () => {
    const share = vi.fn(async () => undefined);
    vi.stubGlobal('navigator', { languages: ['en'], share });
    await open('/gas-cost');
    fireEvent.click(screen.getByRole('button', { name: 'Share link' }));
    expect(share).toHaveBeenCalledWith({
      url: expect.stringContaining('/ai-defi-tools/gas-cost?gas=21000&base=20'),
      title: 'Gas',
    });
  });
  test('is copied otherwise, and carries what is typed', async () => {
    const writeText = vi.fn(async (_text: string) => undefined);
    vi.stubGlobal('navigator', { languages: ['en'], clipboard: { writeText } });
    await open('/gas-cost');
    type('Base fee, gwei', '33');
    fireEvent.click(screen.getByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText('Copied.')).toBeTruthy();
    expect(new URL(writeText.mock.calls[0]?.[0] ?? '').search).toBe(new URL(link.replace('base=20', 'base=33')).search);
  });
  test('can be taken by hand where the browser refuses to copy', async () => {
    vi.stubGlobal('navigator', { languages: ['en'] });
    await open('/gas-cost');
    fireEvent.click(screen.getByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText(/select the link and copy it/)).toBeTruthy();
    expect(field('Link with your numbers').value).toContain('/ai-defi-tools/gas-cost?gas=21000');
  });
});
