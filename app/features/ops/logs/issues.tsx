import './issues.css';
import './parts.css';
import { useQuery } from '@tanstack/react-query';
import type { Issue, IssueList, IssuesQuery } from '../../../../server/contract/ops-logs.ts';
import { number } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { useKeys } from '../../../lib/use-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { Anchor } from '../../../ui/button.tsx';
import { Card, Chip } from '../../../ui/card.tsx';
import { Select } from '../../../ui/field.tsx';
import { Pages } from '../../../ui/pages.tsx';
import { Segment } from '../../../ui/segment.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Export, FilterBar } from './filter-bar.tsx';
import { Histogram } from './histogram.tsx';
import { Inert, LIVE, Live, StateChip, Trend } from './parts.tsx';
import { filtersOf, logsAt, type Search, SORTS, STATES, sortOf, stateOf, useLogSearch, useRange } from './search.ts';
import { agoWord, countWord, stateFilterWord } from './words.ts';

const SORT_WORDS = {
  last: m.logs_sort_last,
  first: m.logs_sort_first,
  count: m.logs_sort_count,
  people: m.logs_sort_people,
} as const;

/** Issues, latest first: similar entries are grouped. */
export function Issues({ turn }: { turn: number }) {
  const [search, change] = useLogSearch();
  const range = useRange(search, turn);
  const { issue: _, ...filters } = filtersOf(search);
  const [state, sort] = [stateOf(search), sortOf(search)];
  const issuesQuery: IssuesQuery = { ...filters, ...range, state, sort };
  const usePage = (cursor: string | undefined) =>
    useQuery({ ...read('GET /api/admin/client-logs/issues', undefined, { ...issuesQuery, cursor }), ...LIVE });
  return (
    <>
      <FilterBar search={search} change={change} range={range} without={['issue']} />
      <Histogram filters={{ ...filters, ...range }} change={change} />
      <div className="log-order">
        <Segment
          label={m.logs_state()}
          options={STATES.map((value) => ({ value, label: stateFilterWord(value) }))}
          value={state}
          onChange={(value) => change({ state: value === 'open' ? null : value })}
        />
        <Select
          label={m.logs_sort()}
          options={SORTS.map((value) => ({ value, label: SORT_WORDS[value]() }))}
          value={sort}
          onValue={(value) => change({ sort: value === 'last' ? null : value })}
        />
      </div>
      <IssueKeys />
      <Pages key={JSON.stringify(issuesQuery)} usePage={usePage} reading={Live}>
        {(page: IssueList, isFirst) =>
          page.issues.length === 0 ? (
            isFirst && <NoIssues page={page} isNarrow={Object.keys(filters).length > 0} />
          ) : (
            <>
              {isFirst && <States page={page} />}
              <Rows page={page} search={search} />
            </>
          )
        }
      </Pages>
      <Export filters={{ ...filters, ...range }} />
      <p className="text-tiny text-muted only-wide">{m.logs_keys_issues()}</p>
    </>
  );
}

function States({ page: { states } }: { page: IssueList }) {
  return (
    <dl className="log-totals">
      {(['open', 'resolved', 'ignored'] as const).map((state) => (
        <div key={state}>
          <dd>{number(states[state])}</dd>
          <dt className="text-tiny text-muted">{stateFilterWord(state)}</dt>
        </div>
      ))}
    </dl>
  );
}

function NoIssues({ page, isNarrow }: { page: IssueList; isNarrow: boolean }) {
  const others = page.states.open + page.states.resolved + page.states.ignored;
  return (
    <Empty
      title={m.logs_none()}
      line={others > 0 ? m.logs_none_state() : isNarrow ? m.logs_none_such() : m.logs_none_line()}
    />
  );
}

/** `j` and `k` move between issues, `o` opens the focused one; the focus is on the links themselves. */
function IssueKeys() {
  const move = (by: number) => {
    const links = [...document.querySelectorAll<HTMLElement>('a.issue-row')];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    o: () => document.activeElement?.matches('a.issue-row') && (document.activeElement as HTMLElement).click(),
  });
  return null;
}

function Rows({ page, search }: { page: IssueList; search: Search }) {
  const now = Date.parse(page.asOf);
  const { issue: _, entry: __, ...rest } = search;
  return (
    <Card className="card--rows issue-list">
      <ul className="ruled-list">
        {page.issues.map((issue) => (
          <li key={issue.id}>
            <Anchor className="issue-row" {...logsAt('issue', { ...rest, issue: issue.id })}>
              <span className="issue-row__title">
                <b>
                  <Inert>{issue.title}</Inert>
                </b>
                {issue.culprit !== null && (
                  <span className="text-tiny text-muted monospace">
                    <Inert>{issue.culprit}</Inert>
                  </span>
                )}
                <span className="issue-meta">
                  <StateChip issue={issue} />
                  {issue.isOther && <Chip>{m.logs_other()}</Chip>}
                  <span className="text-tiny text-muted">{whenWords(issue, now)}</span>
                </span>
              </span>
              <Trend steps={issue.trend} loud={issue.regression} label={m.logs_trend({ n: countWord(issue.count) })} />
              <span className="issue-row__count">
                <b>{number(issue.count)}</b>
                <span className="text-tiny text-muted">{m.logs_entries_word({ count: issue.count })}</span>
              </span>
              <span className="issue-row__count">
                <b>{number(issue.people)}</b>
                <span className="text-tiny text-muted">{m.logs_people_word({ count: issue.people })}</span>
              </span>
            </Anchor>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function whenWords(issue: Issue, now: number): string {
  const last = m.logs_last({ ago: agoWord(issue.lastSeen, now) });
  const first = m.logs_first({ ago: agoWord(issue.firstSeen, now) });
  const release =
    issue.lastRelease === null
      ? []
      : [
          issue.firstRelease === null || issue.firstRelease === issue.lastRelease
            ? m.logs_in_release({ release: issue.lastRelease })
            : m.logs_in_releases({ first: issue.firstRelease, last: issue.lastRelease }),
        ];
  return [last, first, ...release].join(' · ');
}
