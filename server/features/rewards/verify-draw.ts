import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { entrantsHash, RAFFLE_METHOD, raffle } from '../../domain/draw.ts';
import { counted } from '../../domain/text.ts';

const DrawFile = z.object({
  format: z.literal('muster-raffle-1'),
  reward: z.object({ id: z.string(), name: z.string(), places: z.int() }),
  method: z.literal(RAFFLE_METHOD),
  seed: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  seedHash: z.string(),
  entrantsHash: z.string(),
  entrants: z.array(z.object({ userId: z.string(), tickets: z.int().check(z.gte(1)) })),
  winners: z.array(z.string()),
});

/** Computes a raffle again from its file. Answers what was found; throws with what is wrong. */
export function verifyDraw(text: string): string {
  const { reward, seed, seedHash, entrants, winners, ...file } = parsed(text);
  const bytes = Buffer.from(seed, 'hex');
  if (createHash('sha256').update(bytes).digest('hex') !== seedHash) {
    throw new Error('The seed is not the one whose digest was published.');
  }
  const isOrdered = entrants.every(({ userId }, index) => index === 0 || (entrants[index - 1]?.userId ?? '') < userId);
  if (!isOrdered) throw new Error('The entrants are not in the order of their ids.');
  if (entrantsHash(entrants) !== file.entrantsHash)
    throw new Error('The entrants are not those of the published digest.');
  const again = raffle(entrants, reward.places, bytes);
  if (again.join() !== winners.join()) throw new Error('Drawing again gives other winners.');
  const drawn = `${counted(winners.length, 'winner', 'winners')} of “${reward.name}”`;
  return `${drawn} drawn again from ${counted(entrants.length, 'entrant', 'entrants')}: the same. Compare the seed's digest with the one that was published when the season went live: ${seedHash}`;
}

function parsed(text: string): z.infer<typeof DrawFile> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error('The file is no JSON.', { cause: error });
  }
  const read = DrawFile.safeParse(value);
  if (read.success) return read.data;
  throw new Error('The file is no draw of a raffle.', { cause: read.error });
}
