import type { ImportField, ImportKind, ImportSource } from '../../contract/imports.ts';

/**
 * A normalized column name: `Telegram Username` and `telegramUsername` are `telegram_username`. Discourse's prefix of
 * custom fields is removed.
 */
export const plainName = (name: string): string =>
  name
    .replace(/ \(custom user field\)\s*$/i, '')
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');

type Names = Partial<Record<ImportField, readonly string[]>>;

/** Column names of all products, better ones first. */
const PEOPLE: Names = {
  telegram_id: ['telegram_id', 'telegram_user_id', 'telegram_userid', 'tg_id', 'tg_user_id'],
  telegram: [
    ...['telegram', 'telegram_username', 'telegram_user_name', 'telegram_handle', 'telegram_name'],
    ...['tg', 'tg_username', 'tg_handle'],
  ],
  name: ['member_name', 'display_name', 'name', 'full_name', 'nickname', 'user_name', 'username', 'user'],
  points: ['member_score', 'points', 'total_points', 'xp', 'total_xp', 'score', 'total_score', 'loyalty_points'],
  x: [
    'x',
    'x_handle',
    'x_username',
    'twitter',
    'twitter_username',
    'twitter_user_name',
    'twitter_handle',
    'twitter_name',
  ],
  joined: ['joined', 'joined_at', 'joined_on', 'member_since', 'created_at', 'created', 'registered'],
};
const TASKS: Names = {
  title: ['title', 'name', 'quest_name', 'quest', 'challenge', 'campaign_name', 'task'],
  instructions: ['instructions', 'description', 'content', 'details'],
  points: ['points', 'xp', 'value', 'reward', 'loyalty_points'],
  kind: ['kind', 'task_type', 'submission_type', 'type'],
  recurrence: ['recurrence', 'frequency', 'repeats'],
  link: ['link', 'url'],
  setup: ['setup'],
  schedule: ['schedule'],
  caps: ['caps'],
};

/** Columns that identify an export; all of one list. */
const SIGNS: Record<ImportKind, readonly (readonly [ImportSource, readonly string[]])[]> = {
  people: [
    ['muster', ['telegram_id', 'role', 'joined', 'points']],
    ['galxe', ['address', 'points']],
    ['galxe', ['address', 'loyalty_points']],
    ['discourse', ['username', 'total_score']],
    ['discourse', ['username', 'trust_level']],
    ['ctfd', ['place', 'score']],
    ['ctfd', ['oauth_id', 'bracket_id']],
    ['ctfd', ['affiliation', 'website', 'country']],
    ['zealy', ['total_xp']],
    ['zealy', ['xp', 'level']],
    ['zealy', ['xp', 'discord_id']],
    ['zealy', ['xp', 'discord_handle']],
  ],
  tasks: [
    ['muster', ['title', 'kind', 'recurrence', 'setup']],
    ['ctfd', ['name', 'value', 'max_attempts']],
    ['ctfd', ['name', 'value', 'category']],
    ['galxe', ['campaign_name']],
    ['zealy', ['xp', 'recurrence']],
    ['zealy', ['xp', 'name']],
  ],
};

/** The product whose export has these columns. */
export function sourceOf(kind: ImportKind, names: readonly string[]): ImportSource {
  const plain = new Set(names.map(plainName));
  return SIGNS[kind].find(([, signs]) => signs.every((sign) => plain.has(sign)))?.[0] ?? 'other';
}

/**
 * Fields of an export's columns. Names elsewhere are not Telegram names, which may belong to others: `username` counts
 * as one only in Zealy's export, whose members come from there, and only without a better column.
 */
export function fieldsOf(kind: ImportKind, source: ImportSource, names: readonly string[]): ImportField[] {
  const plain = names.map(plainName);
  const fields: ImportField[] = names.map(() => 'leave');
  const take = (field: ImportField, candidates: readonly string[]) => {
    if (fields.includes(field)) return;
    const at = candidates.map((name) => plain.indexOf(name)).find((found) => found >= 0 && fields[found] === 'leave');
    if (at !== undefined) fields[at] = field;
  };
  const candidates = kind === 'people' ? PEOPLE : TASKS;
  if (kind === 'people') {
    take('telegram_id', PEOPLE.telegram_id ?? []);
    take('telegram', PEOPLE.telegram ?? []);
    if (source === 'zealy' && !fields.includes('telegram_id')) take('telegram', ['username']);
  }
  for (const [field, list] of Object.entries(candidates) as [ImportField, readonly string[]][]) {
    // What CTFd calls the type of a challenge is how its points fall.
    if (source === 'ctfd' && field === 'kind') continue;
    take(field, list);
  }
  return fields;
}
