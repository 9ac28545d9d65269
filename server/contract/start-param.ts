/**
 * Where a link of Telegram's leads (`?startapp=` and `?start=`): `c_<community>`, `t_<task>_<community>`, `i_<invite>`, `w` for the
 * leader's wizard. Telegram allows letters, digits, `_` and `-`, 64 of them behind `start`: a task's id stands as base64url.
 */
const FORMS: readonly [RegExp, (...found: string[]) => string | null][] = [
  [/^c_([a-z0-9-]{3,64})$/, (slug = '') => `/community/${slug}`],
  [/^t_([\w-]{22})_([a-z0-9-]{3,64})$/, (id = '', slug = '') => taskPath(uuidOf(id), slug)],
  [/^i_([\w-]{1,60})$/, (code = '') => `/i/${code}`],
  [/^w$/, () => '/community-leader-wizard'],
];

/** The page of ours that a start parameter names; null for anything else. */
export function readStartParam(param: string): string | null {
  for (const [form, pathOf] of FORMS) {
    const found = form.exec(param);
    if (found) return pathOf(...found.slice(1));
  }
  return null;
}

type StartPlace = { community: string } | { task: string; community: string } | { invite: string } | 'wizard';

/** The start parameter for a place. `community` is its slug, `task` a UUID. */
export function startParamOf(place: StartPlace): string {
  if (place === 'wizard') return 'w';
  if ('invite' in place) return `i_${place.invite}`;
  if ('task' in place) return `t_${shortOf(place.task)}_${place.community}`;
  return `c_${place.community}`;
}

/** The page of a task: Today in its community, at the task. */
const taskPath = (taskId: string | null, community: string): string | null =>
  taskId === null ? null : `/community/${community}/dashboard?task=${taskId}`;

const shortOf = (uuid: string): string => {
  const bytes = uuid.replaceAll('-', '').match(/../g) ?? [];
  const text = String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

function uuidOf(short: string): string | null {
  try {
    const text = atob(short.replaceAll('-', '+').replaceAll('_', '/'));
    const hex = [...text].map((sign) => sign.charCodeAt(0).toString(16).padStart(2, '0')).join('');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  } catch {
    return null;
  }
}
