import { createHash } from 'node:crypto';
import type { PublicBoard, PublicCommunity } from '../../contract/embeds.ts';
import { escaped } from '../../domain/markup.ts';
import { counted } from '../../domain/text.ts';

type Theme = 'light' | 'dark' | undefined;
export type Page = { html: string; policy: string };

const LIGHT = '--paper:#fefefb;--line:#d9dbce;--text:#16231c;--quiet:#47554c;--ink:#0d5c3f;color-scheme:light';
const DARK = '--paper:#18221d;--line:#2d3a33;--text:#eef2e8;--quiet:#b4c0b6;--ink:#67d3a0;color-scheme:dark';
const STYLE = `:root{${LIGHT}}@media(prefers-color-scheme:dark){:root{${DARK}}}
:root[data-theme=light]{${LIGHT}}:root[data-theme=dark]{${DARK}}
*{box-sizing:border-box;margin:0}body{font:400 1rem/1.5 system-ui,sans-serif;color:var(--text);background:var(--paper);padding:16px;overflow-wrap:anywhere}
h1{font-size:1.125rem;line-height:1.5rem}p,footer{font-size:.875rem;color:var(--quiet)}p{margin-top:4px}
ol{list-style:none;padding:0;margin-top:12px}li{display:grid;grid-template-columns:2.5rem 1fr auto;gap:8px;padding:10px 0;border-top:1px solid var(--line);font-variant-numeric:tabular-nums}
li b{font-weight:600}footer{margin-top:12px;border-top:1px solid var(--line);padding-top:4px}
a{display:inline-flex;align-items:center;min-height:44px;color:var(--ink);font-weight:600}a:focus-visible{outline:3px solid var(--ink);outline-offset:2px}`;

/** It may be framed by any site, and loads and sends nothing: no script, no picture, no cookie. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
].join('; ');

const number = (value: number): string => value.toLocaleString('en');

/** A page without a script reloads itself from time to time. */
const AGAIN_AFTER_S = 120;

function page(title: string, theme: Theme, body: string): Page {
  const html = `<!doctype html>
<html lang="en"${theme ? ` data-theme="${theme}"` : ''}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${AGAIN_AFTER_S}"><meta name="robots" content="noindex">
<title>${escaped(title)}</title><style>${STYLE}</style></head>
<body>${body}</body>
</html>
`;
  return { html, policy: POLICY };
}

const link = (url: string, words: string): string =>
  `<a href="${escaped(url)}" target="_blank" rel="noopener">${escaped(words)}</a>`;

export function cardPage(community: PublicCommunity, product: string, theme: Theme): Page {
  const { name, description, members, openTasks, url } = community;
  const about = description === '' ? '' : `<p>${escaped(description)}</p>`;
  const facts = `${number(members)} ${members === 1 ? 'member' : 'members'} · ${counted(openTasks, 'open task', 'open tasks')}`;
  return page(
    name,
    theme,
    `<h1>${escaped(name)}</h1><p>${facts}</p>${about}<footer>${link(url, `Join on ${product}`)}</footer>`,
  );
}

const PERIODS = { today: 'Today', week: 'This week', month: 'This month', season: 'Season', all: 'All time' } as const;

export function boardPage(board: PublicBoard, product: string, theme: Theme): Page {
  const { community, period, season, rows, state } = board;
  const none = state === 'hidden' ? 'This board is hidden for now.' : 'Nobody has points here yet.';
  const list = rows
    .map(
      ({ rank, name, points }) =>
        `<li><span>${number(rank)}</span><b>${escaped(name)}</b><span>${number(points)}</span></li>`,
    )
    .join('');
  return page(
    `${community.name}: leaderboard`,
    theme,
    `<h1>${escaped(community.name)}</h1><p>Leaderboard, ${escaped(season ?? PERIODS[period].toLowerCase())}</p>` +
      (rows.length === 0 ? `<p>${none}</p>` : `<ol>${list}</ol>`) +
      `<footer>${link(community.url, `Open on ${product}`)}</footer>`,
  );
}
