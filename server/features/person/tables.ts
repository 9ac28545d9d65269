import type { Sql } from 'postgres';
import { STORED, type StoredGroup, type StoredName } from '../../contract/stored.ts';
import { PERSON_COLUMNS, type PersonColumns } from './columns.ts';

/** Rows per query: each page is a separate query, so a slow reader holds no transaction. */
export const ROWS_AT_ONCE = 2_000;

/** Rows that are a person's by more than a column, as a condition on `t`; `$1` is the person. */
const THEIRS: Partial<Record<StoredName, string>> = {
  claim_events: 'exists (select from claims c where c.id = t.claim_id and c.user_id = $1)',
  notifications: `t.user_id = $1 or exists (
    select from notification_people p where p.notification_id = t.id and p.user_id = $1)`,
  client_log_inbox: "t.sender->>'userId' = $1::text",
  // Also reports of their devices without a session, where nobody else uses the device.
  client_log_entries: `t.user_id = $1 or t.user_id is null and t.device in (
    select e.device from client_log_entries e where e.user_id = $1 and not exists (
      select from client_log_entries o where o.device = e.device and o.user_id <> $1))`,
  audit_entries: `t.subject_id = $1 or exists (select from claims c where c.id = t.subject_id and c.user_id = $1)
    or exists (select from partnership_requests r where r.id = t.subject_id and r.user_id = $1)`,
};

/** Rows that a person made for others: only their own words are exported. */
type OwnActions = { condition: string; columns: readonly string[] };
const OWN_ACTIONS: Partial<Record<StoredName, OwnActions>> = {
  claim_events: {
    condition: 't.actor_id = $1 and not exists (select from claims c where c.id = t.claim_id and c.user_id = $1)',
    columns: ['id', 'community_id', 'claim_id', 'kind', 'at', 'reason'],
  },
  point_events: {
    condition: 't.actor_id = $1 and t.user_id <> $1',
    columns: ['id', 'community_id', 'kind', 'points', 'at', 'reason'],
  },
  audit_entries: {
    condition: 't.actor_id = $1 and t.subject_id is distinct from $1',
    columns: ['id', 'community_id', 'at', 'action', 'reason'],
  },
  leader_applications: { condition: 't.decided_by = $1', columns: ['id', 'state', 'decided_at', 'reason'] },
};

const isMember = (community: string): string =>
  `exists (select from community_members m where m.community_id = ${community} and m.user_id = $1)`;
/** Whether $1 can change a community now: neither they nor the community are suspended. */
const leads = (community: string): string => `exists (
  select from community_members m join communities c on c.id = m.community_id and c.status = 'active'
  join users u on u.id = m.user_id and u.suspended_at is null
  where m.community_id = ${community} and m.user_id = $1 and m.role = 'leader')`;
const LEADS = leads('t.community_id');
const OPERATES =
  "exists (select from users u where u.id = $1 and u.role in ('ops', 'admin') and u.suspended_at is null)";
/** Whether $1 can see the titles of a community's tasks and seasons: it is public, or they are a member. */
const sees = (community: string): string =>
  `(${isMember(community)} or exists (select from communities c where c.id = ${community} and c.visibility = 'public'))`;

/**
 * Rows that a person made for a community or the instance and that others may have changed: `always` is exported to the
 * author, titles while they may see them (`titled`), and contents while they lead there (`whole`).
 */
type Made = { always: readonly string[]; titled?: readonly [column: string, condition: string]; whole: string };
const MADE: Partial<Record<StoredName, Made>> = {
  communities: {
    always: ['id', 'slug', 'name', 'visibility', 'created_at'],
    whole: leads('t.id'),
  },
  announcements: {
    always: ['id', 'community_id', 'created_at'],
    titled: ['title', isMember('t.community_id')],
    whole: LEADS,
  },
  tasks: {
    always: ['id', 'community_id', 'kind', 'created_at', 'changed_at', 'published_at'],
    titled: ['title', `t.status <> 'draft' and ${sees('t.community_id')}`],
    whole: LEADS,
  },
  seasons: {
    always: ['id', 'community_id', 'starts_at', 'ends_at', 'created_at'],
    titled: ['name', `t.started_at is not null and ${sees('t.community_id')}`],
    whole: LEADS,
  },
  webhooks: { always: ['id', 'community_id', 'created_at'], whole: LEADS },
  quiz_packs: { always: ['id', 'community_id', 'created_at', 'changed_at'], whole: LEADS },
  client_log_rules: { always: ['id', 'created_at'], whole: OPERATES },
  imports: { always: ['id', 'community_id', 'kind', 'created_at', 'undone_at'], whole: LEADS },
};

/** Columns with another person's id: the export has the name, as on screens. */
const NAMED_BY = new Set(['actor_id', 'decided_by']);

export type PersonTable = {
  /** Name of the list in its file. */
  name: string;
  group: StoredGroup;
  /** A page of rows, the first being 0; empty after the last. */
  rows(sql: Sql, userId: string, page: number): Promise<Record<string, unknown>[]>;
};

const quoted = (name: string): string => `"${name}"`;

function reading(table: StoredName, condition: string, shown: string): PersonTable['rows'] {
  const text = `
    select ${shown} as line from ${quoted(table)} t where ${condition}
    order by ${ORDER[table] ?? '1'} limit ${ROWS_AT_ONCE} offset $2`;
  return async (sql, userId, page) => {
    const rows = await sql.unsafe<{ line: Record<string, unknown> }[]>(text, [userId, page * ROWS_AT_ONCE]);
    return rows.map(({ line }) => line);
  };
}

/** Where sorting whole rows would be too slow. */
const ORDER: Partial<Record<StoredName, string>> = {
  client_log_entries: 't.happened_at, t.id',
  claims: 't.submitted_at, t.id',
  claim_events: 't.id',
  point_events: 't.id',
  images: 't.created_at, t.id',
};

/** A row as JSON: without secrets, with names of actors, community and task. */
function shownOf(table: StoredName, { by = [], secret = [] }: PersonColumns): string {
  // A picture's bytes are a separate file.
  const without = [
    ...secret,
    ...(table === 'images' ? ['bytes', 'sha256'] : []),
    ...(table === 'claims' ? ['answer_hash'] : []),
  ];
  const named = by
    .filter((column) => NAMED_BY.has(column))
    .map((column) => `'${column}_name', (select display_name from users where id = t.${column})`);
  // Members know a community's name; its tasks' titles may have changed since they left.
  const references = REFERENCES.get(table)?.map(([column, of]) =>
    of === 'task'
      ? `'task_name', (select k.title from tasks k where k.id = t.${column} and ${sees('k.community_id')})`
      : `'community_name', (select c.name from communities c where c.id = t.${column})`,
  );
  const more = [...named, ...(references ?? [])];
  const row = `to_jsonb(t) - array[${without.map((name) => `'${name}'`).join()}]::text[]`;
  return more.length === 0 ? row : `${row} || jsonb_build_object(${more.join()})`;
}

/** What they made, as far as they may see it now. */
function madeOf({ always, titled, whole }: Made, full: string): string {
  const fields = always.map((column) => `'${column}', t.${column}`);
  const title = titled && [`'${titled[0]}', case when ${titled[1]} then t.${titled[0]} end`];
  return `case when ${whole} then ${full} else jsonb_build_object(${[...fields, ...(title ?? [])].join()}) end`;
}

const COMMUNITY = ['community_id', 'community'] as const;
const TASK = ['task_id', 'task'] as const;
const REFERENCES = new Map<StoredName, readonly (readonly [string, 'community' | 'task'])[]>([
  ['claims', [COMMUNITY, TASK]],
  ['point_events', [COMMUNITY, TASK]],
  ['community_members', [COMMUNITY]],
  ['badges', [COMMUNITY]],
]);

function tablesOf(): PersonTable[] {
  const tables: PersonTable[] = [];
  for (const table of Object.keys(STORED) as StoredName[]) {
    const { group, inArchive } = STORED[table];
    const columns = PERSON_COLUMNS[table];
    if (!inArchive || !columns) continue;
    const theirs = THEIRS[table] ?? columns.of.map((column) => `t.${column} = $1`).join(' or ');
    if (theirs !== '') tables.push({ name: table, group, rows: reading(table, theirs, shownOf(table, columns)) });
    const made = MADE[table];
    if (made) {
      const isTheirs = columns.by?.map((column) => `t.${column} = $1`).join(' or ') ?? 'false';
      tables.push({
        name: `${table}_made`,
        group,
        rows: reading(table, isTheirs, madeOf(made, shownOf(table, columns))),
      });
    }
    const actions = OWN_ACTIONS[table];
    if (!actions) continue;
    const shown = `jsonb_build_object(${actions.columns.map((column) => `'${column}', t.${column}`).join()})`;
    tables.push({ name: `${table}_by_you`, group, rows: reading(table, actions.condition, shown) });
  }
  return tables;
}

/** Everything of a person in the database, in the order of the one table. */
export const PERSON_TABLES: readonly PersonTable[] = tablesOf();
