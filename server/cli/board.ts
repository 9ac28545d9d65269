import { listCounted, setCounted } from '../features/boards/instance-board.ts';
import { inertLine } from '../rules/inert.ts';
import { BY_HAND } from './by-hand.ts';
import { CommandError } from './command-error.ts';
import { withInstance } from './database.ts';

export const BOARD_USAGE = `  board list                     public communities, and which of them count on the instance's board
  board count <slug>             what is earned there counts on it from now on
  board uncount <slug>           take that back
`;

export const listBoard = (): Promise<string> =>
  withInstance(async (sql) => {
    const all = await listCounted(sql);
    if (all.length === 0) return 'There is no public community yet.';
    return all
      .map(({ slug, name, members, counts }) =>
        inertLine(`${counts ? 'counts' : '-     '}  ${slug}  ${name}, ${members} members`),
      )
      .join('\n');
  });

export const countCommunity = (slug: string, counts: boolean): Promise<string> =>
  withInstance(async (sql) => {
    const [found] = await sql<{ id: string }[]>`select id from communities where slug = ${slug}`;
    const row =
      found &&
      (await sql.begin((tx) => setCounted(tx, { ...BY_HAND, communityId: found.id, counts, now: new Date() })));
    if (!row)
      throw new CommandError(`There is no community with the address ${slug}. See: npm run muster -- board list`);
    return inertLine(
      `${row.name} (${row.slug}) ${counts ? 'counts' : 'does not count'} on the instance's board from now on.`,
    );
  });
