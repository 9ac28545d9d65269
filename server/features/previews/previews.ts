import type { Sql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { lru } from '../../domain/lru.ts';
import { counted } from '../../domain/text.ts';
import { namedBy } from '../../http/access.ts';
import type { Preview } from '../../http/preview.ts';

/** Cache time and size of previews. */
const CACHE_MS = 60_000;
const CACHED_MAX = 1_000;
/** Addresses that are looked up in a second; beyond it a page comes without its preview. */
const PER_SECOND = 50;
const DESCRIPTION_MAX = 200;

type Row = {
  id: string;
  slug: string;
  name: string;
  description: string;
  members: number;
  openTasks: number;
  invitedBy: string | null;
};

const columns = (sql: Sql) => sql`
  c.id, c.slug, c.name, c.description, c.members,
  (select count(*)::int from tasks t where t.community_id = c.id and t.status = 'live') as "openTasks"`;

/**
 * Link previews of shared pages: a public community, or an invitation to one. All other invitations look the same: a
 * private or suspended community must not be distinguishable from a missing one.
 */
export function createPreviews(runtime: Pick<Runtime, 'sql' | 'config' | 'now'>) {
  const { sql, config, now } = runtime;
  const cache = lru<{ at: number; preview: Promise<Preview | null> }>(CACHED_MAX);
  let second = 0;
  let lookups = 0;
  return async (path: string): Promise<Preview | null> => {
    const [, kind, rawName = ''] = /^\/(i|community)\/([A-Za-z0-9-]{1,64})$/.exec(path) ?? [];
    if (kind === undefined) return null;
    const name = rawName.toLowerCase();
    const at = now().getTime();
    const key = `${kind} ${name}`;
    const cached = cache.get(key);
    if (cached && at - cached.at < CACHE_MS) return cached.preview;
    if (Math.floor(at / 1_000) !== second) {
      second = Math.floor(at / 1_000);
      lookups = 0;
    }
    lookups += 1;
    if (lookups > PER_SECOND) return null;
    const preview = kind === 'i' ? invitation(sql, config, name) : community(sql, config, name);
    // A page without preview is better than none.
    const safe = preview.catch(() => null);
    cache.set(key, { at, preview: safe });
    return safe;
  };
}

async function invitation(sql: Sql, config: Runtime['config'], code: string): Promise<Preview> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)}, case when u.hidden_at is null then u.display_name end as "invitedBy" from invites i
    join users u on u.id = i.user_id
    join communities c on c.id = i.community_id and c.status = 'active' and c.visibility = 'public'
    join community_members m on m.community_id = i.community_id and m.user_id = i.user_id
    where i.code = ${code.replaceAll('-', '')}`;
  const url = `${config.publicOrigin}/i/${code}`;
  if (row) return { ...previewOf(config, row), title: `Join ${row.name} on ${config.productName}`, url };
  return {
    title: `You are invited to a community on ${config.productName}`,
    description: 'Open the invitation to see where it leads.',
    url,
    image: { url: `${config.publicOrigin}/icons/icon-512.png`, width: 512, height: 512, alt: config.productName },
  };
}

async function community(sql: Sql, config: Runtime['config'], name: string): Promise<Preview | null> {
  const by = namedBy(name);
  const [row] = by
    ? await sql<Row[]>`
        select ${columns(sql)}, null as "invitedBy" from communities c
        where ${by === 'id' ? sql`c.id = ${name}` : sql`c.slug = ${name}`}
          and c.visibility = 'public' and c.status = 'active'`
    : [];
  return row ? previewOf(config, row) : null;
}

/** How many are there, as one line. */
export const factsOf = ({ members, openTasks }: Pick<Row, 'members' | 'openTasks'>): string =>
  `${counted(members, 'member', 'members')} · ${counted(openTasks, 'open task', 'open tasks')}`;

function previewOf(config: Runtime['config'], row: Row): Preview {
  const by = row.invitedBy === null ? '' : `${row.invitedBy} invites you. `;
  const about = row.description.replace(/\s+/g, ' ').trim();
  const text = `${by}${factsOf(row)}${about === '' ? '' : `. ${about}`}`;
  return {
    title: `${row.name} on ${config.productName}`,
    description: text.length > DESCRIPTION_MAX ? `${[...text].slice(0, DESCRIPTION_MAX - 1).join('')}…` : text,
    url: `${config.publicOrigin}/community/${row.slug}`,
    image: {
      url: `${config.publicOrigin}/api/communities/${row.id}/card`,
      width: 1_200,
      height: 630,
      alt: `${row.name}: ${factsOf(row)}`,
    },
  };
}
