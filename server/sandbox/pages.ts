import { fullName, type Person, type XAccount } from './state.ts';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

const CSS = `
*,*::before,*::after{box-sizing:border-box}
:root{color-scheme:light dark;--page:#eef3f8;--card:#fff;--text:#17212b;--soft:#5a6b7b;--line:#d8e1ea;--key:#1f75c4;--on-key:#fff;--hover:#f2f7fc;--face:#d9e9f8;--on-face:#17507f;--note:#fff4d6;--on-note:#5b4300}
.x{--page:#f1f3f4;--key:#0f1419;--on-key:#fff;--hover:#f4f5f6;--face:#e3e6e8;--on-face:#0f1419}
@media (prefers-color-scheme:dark){:root{--page:#0e1621;--card:#17212b;--text:#eef4fa;--soft:#93a4b5;--line:#2a3948;--key:#4da3ea;--on-key:#06121d;--hover:#1e2c3a;--face:#23405b;--on-face:#cfe6fb;--note:#3a2f10;--on-note:#ffe6a3}
.x{--page:#000;--card:#14171a;--key:#eff3f4;--on-key:#0f1419;--hover:#1d2226;--face:#2f3437;--on-face:#eff3f4;--line:#2f3336}}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;min-height:100dvh;display:grid;justify-items:center;align-items:start;padding:24px 16px 40px}
main{width:100%;max-width:430px;display:grid;gap:16px}
.note{background:var(--note);color:var(--on-note);border-radius:10px;padding:9px 14px;font-size:14px;margin:0}
.card{background:var(--card);border:1px solid var(--line);border-radius:16px;padding:24px 20px 20px}
h1{margin:0;font-size:23px;line-height:1.2;letter-spacing:-.01em;text-wrap:balance}
h2{margin:0 0 12px;font-size:16px}
.lead{margin:8px 0 18px;color:var(--soft)}
form{margin:0}
.list{display:grid;gap:2px;margin:0 -10px}
.one{display:grid;grid-template-columns:44px 1fr;gap:12px;align-items:center;width:100%;min-height:60px;padding:8px 10px;border:0;border-radius:12px;background:none;color:inherit;font:inherit;text-align:start;cursor:pointer}
.one:hover{background:var(--hover)}
.face{display:grid;place-items:center;width:44px;height:44px;border-radius:50%;background:var(--face);color:var(--on-face);font-weight:600}
.one b{display:block;font-weight:600}.one small{display:block;color:var(--soft);font-size:14px}
label{display:grid;gap:4px;font-size:14px;color:var(--soft);margin-bottom:12px}
input{min-height:44px;padding:8px 12px;border:1px solid #7e8d9b;border-radius:10px;background:var(--card);color:var(--text);font:inherit;width:100%}
.go,.no{display:inline-grid;place-items:center;min-height:44px;width:100%;border-radius:10px;border:0;font:inherit;font-weight:600;cursor:pointer;text-decoration:none}
.go{background:var(--key);color:var(--on-key)}
.no{background:none;color:var(--text);border:1px solid var(--line);margin-top:14px}
:focus-visible{outline:3px solid var(--key);outline-offset:2px}
`;

function page(title: string, kind: 'telegram' | 'x', body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${CSS}</style></head><body class="${kind}"><main><p class="note">Sandbox: stands in for ${kind === 'x' ? 'X' : 'Telegram'} on this computer. Nothing leaves it.</p>${body}</main></body></html>`;
}

function hidden(fields: Iterable<[string, string]>): string {
  return [...fields]
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
}

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('');

function choice(id: string, name: string, line: string): string {
  return `<button class="one" name="person" value="${escapeHtml(id)}" data-person="${escapeHtml(id)}"><span class="face" aria-hidden="true">${escapeHtml(initials(name))}</span><span><b>${escapeHtml(name)}</b><small>${escapeHtml(line)}</small></span></button>`;
}

const choicesOf = (people: Iterable<Person>): string =>
  [...people]
    .map((one) => choice(one.telegramUserId, fullName(one), one.username ? `@${one.username} · ${one.note}` : one.note))
    .join('');

/** One button per person, which goes to `action` with the query and their id. */
export function choosePage(
  title: string,
  lead: string,
  action: string,
  query: URLSearchParams,
  people: Iterable<Person>,
) {
  return page(
    `${title} (sandbox)`,
    'telegram',
    `<section class="card"><h1>${escapeHtml(title)}</h1><p class="lead">${escapeHtml(lead)}</p><form method="get" action="${action}"><div class="list">${choicesOf(people)}</div>${hidden(query)}</form></section>`,
  );
}

/** Telegram's sign-in page: a button per person, a form for a new one, and a way back. */
export function telegramPage(query: URLSearchParams, people: Iterable<Person>): string {
  const request = hidden(query);
  const choices = choicesOf(people);
  return page(
    'Sign in with Telegram (sandbox)',
    'telegram',
    `<section class="card"><h1>Who is signing in?</h1><p class="lead">The app asks Telegram for your name and username.</p><form method="get" action="/auth"><div class="list">${choices}</div>${request}</form></section>
<section class="card"><h2>Someone new</h2><form method="post" action="/auth">${request}<label>First name<input name="firstName" required maxlength="64" autocomplete="off"></label><label>Username, if they have one<input name="username" pattern="[A-Za-z][A-Za-z0-9_]{3,31}" autocomplete="off" autocapitalize="none"></label><button class="go">Add and sign in</button></form><form method="get" action="/auth">${request}<button class="no" name="deny" value="1">Cancel</button></form></section>`,
  );
}

/** X's consent page, in the same manner. `data-person` is the owner's Telegram id where the account has one. */
export function xPage(query: URLSearchParams, accounts: Iterable<XAccount & { person: string; note: string }>): string {
  const request = hidden(query);
  const choices = [...accounts]
    .map((account) =>
      choice(
        account.person,
        account.name,
        account.note ? `@${account.username} · ${account.note}` : `@${account.username}`,
      ),
    )
    .join('');
  const action = '/i/oauth2/authorize';
  return page(
    'Authorize app (sandbox)',
    'x',
    `<section class="card"><h1>Let the app read your X profile?</h1><p class="lead">It sees your name and handle. It cannot post.</p><form method="get" action="${action}"><div class="list">${choices}</div>${request}</form></section>
<section class="card"><h2>Another account</h2><form method="post" action="${action}">${request}<label>Handle<input name="username" required pattern="[A-Za-z0-9_]{1,15}" autocomplete="off" autocapitalize="none"></label><button class="go">Add and authorize</button></form><form method="get" action="${action}">${request}<button class="no" name="deny" value="1">Cancel</button></form></section>`,
  );
}

const INTENTS = {
  post: 'Post this?',
  follow: 'Follow this account?',
  like: 'Like this post?',
  retweet: 'Repost this?',
};

/** What an app proposes to do at X: a post with a text that it has written, or one press. `text` null: nothing to write. */
export function intentPage(
  name: keyof typeof INTENTS,
  query: URLSearchParams,
  text: string | null,
  accounts: Iterable<XAccount>,
): string {
  const choices = [...accounts].map((one) => choice(one.id, one.name, `@${one.username}`)).join('');
  const rest = [...query].filter(([field]) => field !== 'text' && field !== 'person');
  const about = rest.map(([, value]) => escapeHtml(value)).join(' ');
  const field =
    text === null ? '' : `<label>Text<input name="text" required maxlength="280" value="${escapeHtml(text)}"></label>`;
  return page(
    'Intent (sandbox)',
    'x',
    `<form method="post" action="/intent/${name}">${hidden(rest)}<section class="card"><h1>${INTENTS[name]}</h1><p class="lead">${about}</p>${field}</section><section class="card"><h2>As</h2><div class="list">${choices}</div></section></form>`,
  );
}
export const donePage = (username: string): string =>
  page(
    'Done (sandbox)',
    'x',
    `<section class="card"><h1>Done</h1><p class="lead">@${escapeHtml(username)} did it.</p></section>`,
  );
export function postedPage(address: string): string {
  return page(
    'Posted (sandbox)',
    'x',
    `<section class="card"><h1>Posted</h1><p class="lead">This is its address:</p><label>Address<input readonly value="${escapeHtml(address)}"></label></section>`,
  );
}

/** What a provider shows when the app's own request is wrong: it must not redirect then (RFC 6749, 4.1.2.1). */
export function wrongRequestPage(kind: 'telegram' | 'x', reason: string): string {
  return page(
    'Wrong request (sandbox)',
    kind,
    `<section class="card"><h1>This request cannot be answered</h1><p class="lead">${escapeHtml(reason)}</p></section>`,
  );
}
