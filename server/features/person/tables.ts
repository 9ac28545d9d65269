import type { Sql } from 'postgres';
import { STORED, type StoredGroup, type StoredName } from '../../contract/stored.ts';
import { PERSON_COLUMNS, type PersonColumns } from './columns.ts';

/** Rows of one file: each page is a query of its own, so that a slow reader holds nothing. */
export const ROWS_AT_ONCE = 2_000;

/** Rows that are a person's by more than a column, as a condition on `t`; `$1` is the person. */
const THEIRS: Partial<Record<StoredName, string>> = {
  claim_events: 'exists (select from claims c where c.id = t.claim_id and c.user_id = $1)',
  client_log_inbox: "t.sender->>'userId' = $1::text",
  // Also what their devices reported while nobody was signed in, where nobody else uses them.
  client_log_entries: `t.user_id = $1 or t.user_id is null and t.device in (
    select e.device from client_log_entries e where e.user_id = $1 and not exists (
      select from client_log_entries o where o.device = e.device and o.user_id <> $1))`,
  audit_entries: `t.subject_id = $1 or exists (select from claims c where c.id = t.subject_id and c.user_id = $1)
    or exists (select from partnership_requests r where r.id = t.subject_id and r.user_id = $1)`,
};

/** What a person made or did for others: of these their own words are given, and nobody else's. */
type Acts = { condition: string; columns: readonly string[] };
const ACTS: Partial<Record<StoredName, Acts>> = {
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
const MADE: readonly StoredName[] = [
  'communities',
  'announcements',
  'tasks',
  'seasons',
  'webhooks',
  'quiz_packs',
  'client_log_rules',
  'imports',
];

/** Columns in which somebody else's name is an id: a person reads who it was, as on their screens. */
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

/** Where a page must not be sorted anew by whole rows. */
const ORDER: Partial<Record<StoredName, string>> = {
  client_log_entries: 't.happened_at, t.id',
  claims: 't.submitted_at, t.id',
  claim_events: 't.id',
  point_events: 't.id',
  images: 't.created_at, t.id',
};

/** A row as JSON: without secrets, with the names of who acted, and of its community and task. */
function shownOf(table: StoredName, { by = [], secret = [] }: PersonColumns): string {
  // Bytes of a picture are a file of their own.
  const without = [
    ...secret,
    ...(table === 'images' ? ['bytes', 'sha256'] : []),
    ...(table === 'claims' ? ['answer_hash'] : []),
  ];
  const named = by
    .filter((column) => NAMED_BY.has(column))
    .map((column) => `'${column}_name', (select display_name from users where id = t.${column})`);
  const places = PLACES.get(table)?.map(
    ([column, of]) =>
      `'${of}_name', (select ${of === 'task' ? 'title' : 'name'} from ${of === 'task' ? 'tasks' : 'communities'} where id = t.${column})`,
  );
  const more = [...named, ...(places ?? [])];
  const row = `to_jsonb(t) - array[${without.map((name) => `'${name}'`).join()}]::text[]`;
  return more.length === 0 ? row : `${row} || jsonb_build_object(${more.join()})`;
}

const COMMUNITY = ['community_id', 'community'] as const;
const TASK = ['task_id', 'task'] as const;
const PLACES = new Map<StoredName, readonly (readonly [string, 'community' | 'task'])[]>([
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
    if (MADE.includes(table)) {
      const made = columns.by?.map((column) => `t.${column} = $1`).join(' or ') ?? 'false';
      tables.push({ name: `${table}_made`, group, rows: reading(table, made, shownOf(table, columns)) });
    }
    const acts = ACTS[table];
    if (!acts) continue;
    const shown = `jsonb_build_object(${acts.columns.map((column) => `'${column}', t.${column}`).join()})`;
    tables.push({ name: `${table}_by_you`, group, rows: reading(table, acts.condition, shown) });
  }
  return tables;
}

/** Everything of a person in the database, in the order of the one table. */
export const PERSON_TABLES: readonly PersonTable[] = tablesOf();
