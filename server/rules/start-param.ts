/**
 * Target of a Telegram link (`?startapp=` and `?start=`): `c_<community>`, `t_<task>_<community>`, `i_<invite>`, `w`
 * for the leader's wizard. Telegram allows letters, digits, `_` and `-`, 64 of them after `start`, so a task's id is in
 * base64url.
 */
const FORMS: readonly [RegExp, (...found: string[]) => StartTarget | null][] = [
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
export type StartTarget = { community: string } | { task: string; community: string } | { invite: string } | 'wizard';

/** What a start parameter names; null for anything else. */
export function startTargetOf(param: string): StartTarget | null {
  for (const [form, targetOf] of FORMS) {
    const found = form.exec(param);
    if (found) return targetOf(...found.slice(1));
  }
  return null;
}

/** The page of ours that a start parameter names; null for anything else. */
export function readStartParam(param: string): string | null {
  const target = startTargetOf(param);
  if (target === null) return null;
  if (target === 'wizard') return '/community-leader-wizard';
  if ('invite' in target) return `/i/${target.invite}`;
  const page = `/community/${target.community}`;
  return 'task' in target ? `${page}/dashboard?task=${target.task}` : page;
}

/** The start parameter for a target. */
export function startParamOf(target: StartTarget): string {
  if (target === 'wizard') return 'w';
  if ('invite' in target) return `i_${target.invite}`;
  if ('task' in target) return `t_${shortOf(target.task)}_${target.community}`;
  return `c_${target.community}`;
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
