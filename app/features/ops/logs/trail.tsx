import './trail.css';
import type { ReactNode } from 'react';
import type { Breadcrumb, EntryDetail } from '../../../../server/contract/ops-logs.ts';
import { inertLine } from '../../../../server/rules/inert.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { Anchor } from '../../../ui/button.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Inert } from './parts.tsx';
import { logsAt } from './search.ts';
import { clockWord, spanWord } from './words.ts';

/** Breadcrumbs before an entry and right after it: time offset, icon, text, measure. */
export function Trail({ detail: { breadcrumbs, entry, gap } }: { detail: EntryDetail }) {
  const rows = offlineIn(breadcrumbs, entry.offlineMs);
  const before = rows.filter(({ crumb }) => crumb.offsetMs <= 0);
  const after = rows.filter(({ crumb }) => crumb.offsetMs > 0);
  return (
    <>
      {gap.missingBefore > 0 && (
        <p className="text-small text-muted">
          {m.logs_missing_before({ count: gap.missingBefore, n: number(gap.missingBefore) })}
        </p>
      )}
      {breadcrumbs.length === 0 && <p className="text-small text-muted">{m.logs_no_crumbs()}</p>}
      <ol className="trail">
        {before.map(row)}
        <li className={['trail__this', entry.offlineMs === null ? '' : 'trail__offline'].join(' ').trim()}>
          <time dateTime={entry.happenedAt}>{clockWord(entry.happenedAt)}</time>
          <Icon name={entry.kind === 'error' ? 'warning' : 'info'} />
          <b className="trail__words">{m.logs_this()}</b>
        </li>
        {after.map(row)}
      </ol>
    </>
  );
}
type Row = { crumb: Breadcrumb; isOffline: boolean; key: string };
const row = ({ key, ...one }: Row) => <Crumb key={key} {...one} />;

/** The breadcrumbs recorded offline: by their own data, and by the entry's for the time before it. */
function offlineIn(crumbs: readonly Breadcrumb[], offlineMs: number | null): Row[] {
  let isAway = false;
  return crumbs.map((crumb, at) => {
    if (crumb.message === 'offline') isAway = true;
    if (crumb.message === 'online') isAway = false;
    const { offsetMs } = crumb;
    const isWithin = offlineMs !== null && offsetMs <= 0 && offsetMs >= -offlineMs;
    return { crumb, isOffline: isAway || isWithin, key: `${crumb.entryId ?? at} ${crumb.at} ${crumb.message}` };
  });
}

function Crumb({ crumb, isOffline }: { crumb: Breadcrumb; isOffline: boolean }) {
  const { sign, words, measure } = crumbWordsOf(crumb);
  const classes = [crumb.kind === 'error' ? 'trail__error' : '', isOffline ? 'trail__offline' : ''];
  return (
    <li className={classes.join(' ').trim()}>
      <time dateTime={crumb.at} title={clockWord(crumb.at)}>
        {distanceWord(crumb.offsetMs)}
      </time>
      <Icon name={sign} />
      <span className="trail__words">
        {crumb.entryId === null ? words : <Anchor {...logsAt('entry', { entry: crumb.entryId })}>{words}</Anchor>}
      </span>
      {measure !== '' && <span className="trail__measure">{measure}</span>}
    </li>
  );
}

/** Shorter offsets show as zero, without a direction. */
const AT_ONCE_MS = 50;
function distanceWord(offsetMs: number): string {
  const span = spanWord(offsetMs);
  if (Math.abs(offsetMs) < AT_ONCE_MS) return span;
  return offsetMs > 0 ? m.logs_crumb_after({ span }) : m.logs_crumb_before({ span });
}

type CrumbWords = { sign: IconName; words: ReactNode; measure: string };
const plain = (sign: IconName, words: ReactNode, measure = ''): CrumbWords => ({ sign, words, measure });
const code = (text: string) => (
  <span className="monospace">
    <Inert>{text}</Inert>
  </span>
);

const OUTBOX_WORDS: ReadonlyMap<string, () => string> = new Map([
  ['waiting', m.logs_crumb_waiting],
  ['sending', m.logs_crumb_sending],
  ['refused', m.logs_crumb_refused],
  ['delivered', m.logs_crumb_delivered],
  ['gone', m.logs_crumb_gone],
]);

/** A breadcrumb of the page's recorder (`features/shell/crumbs.ts`) in words; other notes as the device wrote them. */
function crumbWordsOf({ kind, message, data }: Breadcrumb): CrumbWords {
  const field = (name: string): string | number | true | null => {
    const value = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[name] : null;
    if (typeof value === 'string') return inertLine(value);
    return typeof value === 'number' || value === true ? value : null;
  };
  const text = (name: string) => String(field(name) ?? '');
  switch (message) {
    case 'navigate':
      return plain(
        'eye',
        <>
          {m.logs_crumb_page()} {code(text('to'))}
        </>,
      );
    case 'press':
      return plain('bolt', pressedWord(text('name'), text('role'), text('place')));
    case 'call':
      return plain(
        'server',
        code(`${text('method')} ${text('to')}`),
        answerWord(field('status'), field('ms'), field('copy') === true),
      );
    case 'outbox':
      return plain(
        'outbox',
        <>
          {m.logs_crumb_outbox()} {code(text('what'))}
        </>,
        OUTBOX_WORDS.get(text('now'))?.() ?? '',
      );
    case 'offline':
      return plain('offline', m.logs_crumb_lost());
    case 'online':
      return plain('globe', m.logs_crumb_back());
    case 'update':
      return plain('update', m.logs_crumb_update());
  }
  const more = dataWord(data);
  return plain(
    kind === 'error' ? 'warning' : 'info',
    <>
      <Inert>{message}</Inert>
      {more !== '' && (
        <span className="text-tiny text-muted monospace">
          {' '}
          <Inert>{more}</Inert>
        </span>
      )}
    </>,
  );
}

function pressedWord(name: string, role: string, region: string): string {
  if (name !== '') return m.logs_crumb_pressed({ name });
  return region === '' ? m.logs_crumb_pressed_role({ role }) : m.logs_crumb_pressed_place({ role, place: region });
}

function answerWord(status: unknown, took: unknown, isCopy: boolean): string {
  const ms = typeof took === 'number' ? number(took) : '?';
  if (status === 0) return m.logs_crumb_no_answer({ ms });
  return isCopy ? m.logs_crumb_copy({ ms }) : m.logs_crumb_answer({ status: String(status ?? '?'), ms });
}

const DATA_SHOWN = 300;
/** A breadcrumb's data on one line. */
export function dataWord(data: unknown): string {
  if (data === null || data === undefined) return '';
  const text = inertLine(typeof data === 'string' ? data : (JSON.stringify(data) ?? ''));
  return text.length > DATA_SHOWN ? `${text.slice(0, DATA_SHOWN)}…` : text;
}
