import { expect, test } from 'vitest';
import { TooManyWait } from '../../server/base/own-thread.ts';
import { CARDS_WAITING_MAX } from '../../server/contract/open-limits.ts';
import { createCards } from '../../server/integrations/cards/cards.ts';
import { cardSvg } from '../../server/integrations/cards/svg.ts';

const words = (name: string) => ({ name, slug: 'the-slug', line: '3 members', host: 'a.example', product: 'Muster' });

test('a card is drawn once, one after the other, and what waits has an end', async () => {
  let drawn = 0;
  let atOnce = 0;
  const cards = createCards(async (svg) => {
    atOnce += 1;
    expect(atOnce).toBe(1);
    await new Promise((done) => setTimeout(done, 1));
    atOnce -= 1;
    drawn += 1;
    return Buffer.from(svg);
  });
  const same = await Promise.all(Array.from({ length: 50 }, () => cards.draw(words('One'))));
  expect([drawn, new Set(same).size]).toEqual([1, 1]);
  const many = await Promise.allSettled(
    Array.from({ length: CARDS_WAITING_MAX + 5 }, (_, at) => cards.draw(words(`Name ${at}`))),
  );
  const refused = many.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(5);
  for (const one of refused) expect(one.reason).toBeInstanceOf(TooManyWait);
  expect(drawn).toBe(1 + CARDS_WAITING_MAX);
});

test('one that failed is tried again', async () => {
  let tries = 0;
  const cards = createCards(async () => {
    tries += 1;
    if (tries === 1) throw new Error('out of memory');
    return Buffer.from('png');
  });
  await expect(cards.draw(words('One'))).rejects.toThrow('out of memory');
  expect(String(await cards.draw(words('One')))).toBe('png');
});

test('nothing of a name is markup, it stays on two lines, and one that cannot be drawn is shown by its address', () => {
  const svg = cardSvg(words('</text><script>&"\'\u0000 and a name that goes on and on without any end to be seen'));
  expect(svg).not.toMatch(/<script|\0/);
  expect(svg.match(/font-size="84"/g)).toHaveLength(2);
  expect(svg).toContain('…');
  expect(cardSvg(words('日本語の名前'))).toContain('>the-slug<');
  expect(cardSvg(words('Ходоки 🏔️ гор'))).toContain('>Ходоки гор<');
});
