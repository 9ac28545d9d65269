/**
 * Target of a Telegram link (`?startapp=` and `?start=`): `c_<community>`, `t_<task>_<community>`, `i_<invite>`, `w`
 * for the leader's wizard. Telegram allows letters, digits, `_` and `-`, 64 of them after `start`, so a task's id is in
 * base64url.
 */
const FORMS: readonly [RegExp, (...found: string[]) => StartPlace | null][] = [
  [/^c_([a-z0-9-]{3,64})$/, (community = '') => ({ community })],
  [
    /^t_([\w-]{22})_([a-z0-9-]{3,64})$/,
    (id = '', community = '') => {
      const task = uuidOf(id);
      return task === null ? null : { task, community };
    },
  ],
  [/^i_([\w-]{1,60})$/, (invite = '') => ({ invite })],
  [/^w$/, () => 'wizard'],
];

/** `community` is a slug, `task` a UUID. */
export type StartPlace = { community: string } | { task: string; community: string } | { invite: string } | 'wizard';

/** What a start parameter names; null for anything else. */
export function startPlaceOf(param: string): StartPlace | null {
  for (const [form, placeOf] of FORMS) {
    const found = form.exec(param);
    if (found) return placeOf(...found.slice(1));
  }
  return null;
}

/** The page of ours that a start parameter names; null for anything else. */
export function readStartParam(param: string): string | null {
  const place = startPlaceOf(param);
  if (place === null) return null;
  if (place === 'wizard') return '/community-leader-wizard';
  if ('invite' in place) return `/i/${place.invite}`;
  const page = `/community/${place.community}`;
  return 'task' in place ? `${page}/dashboard?task=${place.task}` : page;
}

/** The start parameter for a target. */
export function startParamOf(place: StartPlace): string {
  if (place === 'wizard') return 'w';
  if ('invite' in place) return `i_${place.invite}`;
  if ('task' in place) return `t_${shortOf(place.task)}_${place.community}`;
  return `c_${place.community}`;
}

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
