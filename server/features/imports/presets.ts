import type { ImportField, ImportKind, ImportSource } from '../../contract/imports.ts';

/**
 * A column's name as it is compared: `Telegram Username` is `telegram_username`, and so is `telegramUsername`. What Discourse says
 * of a field that its administrators made is no part of it.
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

/** Names that say what a column holds, whoever made the file; the better one first. */
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

/** Columns by which an export is known; all of one list. */
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

/** Whose export has columns of these names. */
export function sourceOf(kind: ImportKind, names: readonly string[]): ImportSource {
  const plain = new Set(names.map(plainName));
  return SIGNS[kind].find(([, signs]) => signs.every((sign) => plain.has(sign)))?.[0] ?? 'other';
}

/**
 * What the columns of an export become. What people are called elsewhere is nobody's name on Telegram, where somebody else may
 * have it: `username` is taken for one only in Zealy's, whose members come from there, and only where no column says it better.
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
