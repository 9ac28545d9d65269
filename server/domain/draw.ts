import { createHash } from 'node:crypto';
import type { RewardRule } from '../contract/seasons.ts';

/** A possible winner, with the facts for the rules. */
export type Entrant = {
  userId: string;
  points: number;
  /** Place in the season's results, from 1: points, then who reached them first, then the id. */
  place: number;
  /** The order in which members reached the reward's points; null: never, or it has none. */
  reached: number | null;
};
/** A person in a raffle; more tickets, more chance. */
export type Ticketed = { userId: string; tickets: number };

/** Name of the method of `raffle`; `docs/decisions/raffles.md` explains it for people who verify a draw. */
export const RAFFLE_METHOD = 'sha256-fisher-yates-1';

/** The entrants of a reward by id, in the order of its digest and raffle. */
export function entrantsOf(rule: RewardRule, all: readonly Entrant[]): Entrant[] {
  const least = 'minPoints' in rule ? rule.minPoints : 1;
  return all.filter(({ points }) => points >= least).sort((a, b) => (a.userId < b.userId ? -1 : 1));
}

export const ticketsOf = (rule: RewardRule, { userId, points }: Entrant): Ticketed => ({
  userId,
  tickets: rule.type === 'raffle' && rule.tickets === 'by_points' ? points : 1,
});

/** Winners by the rule, first place first. `entrants` come from `entrantsOf`. */
export function winnersOf(rule: RewardRule, entrants: readonly Entrant[], seed: Buffer): string[] {
  const byPosition = () => [...entrants].sort((a, b) => a.place - b.place).map(({ userId }) => userId);
  switch (rule.type) {
    case 'all':
      return byPosition();
    case 'top_n':
      return byPosition().slice(0, rule.places);
    case 'top_percent':
      return byPosition().slice(0, Math.ceil((entrants.length * rule.percent) / 100));
    case 'first_come':
      return entrants
        .filter((entrant): entrant is Entrant & { reached: number } => entrant.reached !== null)
        .sort((a, b) => a.reached - b.reached)
        .slice(0, rule.places)
        .map(({ userId }) => userId);
    case 'raffle':
      return raffle(
        entrants.map((entrant) => ticketsOf(rule, entrant)),
        rule.places,
        seed,
      );
  }
}

/** SHA-256 over `<user id> <tickets>\n` of every entrant in order, hex. */
export function entrantsHash(entrants: readonly Ticketed[]): string {
  const hash = createHash('sha256');
  for (const { userId, tickets } of entrants) hash.update(`${userId} ${tickets}\n`);
  return hash.digest('hex');
}

/**
 * Draws winners without replacement (Fisher and Yates): a random number below the remaining tickets is counted off over
 * the remaining entrants in order; the holder of that ticket wins and leaves with all tickets.
 */
export function raffle(entrants: readonly Ticketed[], places: number, seed: Buffer): string[] {
  const left = new TicketSums(entrants.map(({ tickets }) => tickets));
  const random = numbersFrom(seed);
  const winners: string[] = [];
  while (winners.length < places && left.total > 0) {
    const index = left.holderOf(Number(random(BigInt(left.total))));
    const winner = entrants[index];
    if (!winner) throw new Error('a ticket that nobody holds');
    left.remove(index);
    winners.push(winner.userId);
  }
  return winners;
}

const WORD = 2n ** 64n;

/**
 * Numbers from the seed alone: the first 8 bytes of SHA-256(seed, then a counter of 4 bytes from 0), big-endian, modulo
 * the bound. Values at or above the largest multiple of the bound are skipped, so all are equally likely.
 */
function numbersFrom(seed: Buffer): (below: bigint) => bigint {
  let counter = 0;
  return (below) => {
    for (;;) {
      const count = Buffer.alloc(4);
      count.writeUInt32BE(counter);
      counter += 1;
      const word = createHash('sha256').update(seed).update(count).digest().readBigUInt64BE();
      if (word < WORD - (WORD % below)) return word % below;
    }
  };
}

/** Tickets with their running sums as a Fenwick tree: finding and removing cost the logarithm of their number. */
class TicketSums {
  total = 0;
  readonly #tickets: number[];
  readonly #tree: number[];

  constructor(tickets: readonly number[]) {
    this.#tickets = [...tickets];
    this.#tree = new Array<number>(tickets.length + 1).fill(0);
    for (const [index, count] of tickets.entries()) this.#add(index, count);
  }

  #add(index: number, count: number): void {
    this.total += count;
    for (let at = index + 1; at < this.#tree.length; at += at & -at) this.#tree[at] = (this.#tree[at] ?? 0) + count;
  }

  remove(index: number): void {
    this.#add(index, -(this.#tickets[index] ?? 0));
    this.#tickets[index] = 0;
  }

  /** Index of who holds the ticket with this number, counted from 0 over those that are left. */
  holderOf(ticket: number): number {
    let index = 0;
    let rest = ticket;
    for (let step = 2 ** Math.floor(Math.log2(this.#tree.length)); step >= 1; step /= 2) {
      const sum = this.#tree[index + step];
      if (sum !== undefined && sum <= rest) {
        index += step;
        rest -= sum;
      }
    }
    return index;
  }
}
