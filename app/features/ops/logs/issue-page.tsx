import './issue-page.css';
import './parts.css';
import { useQuery } from '@tanstack/react-query';
import type { IssueDetail } from '../../../../server/contract/ops-logs.ts';
import { read } from '../../../lib/query.ts';
import { useKeys } from '../../../lib/use-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { ButtonLink } from '../../../ui/button.tsx';
import { Card, Chip, SectionHead } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/states.tsx';
import { EntryParts } from './entry-parts.tsx';
import { Affected, Groups, History } from './issue-about.tsx';
import { IssueCommands } from './issue-commands.tsx';
import { Inert, LIVE, Live, StateChip, Trend } from './parts.tsx';
import { logsAt, useLogSearch, useRange } from './search.ts';
import { countWord, momentWord, peopleWord, percentWord, spanWord } from './words.ts';

/** With fewer entries a median and 95th percentile mean nothing. */
const SHARES_FROM = 20;

/** One issue: what it is, a full sample entry, who is affected, and why its entries belong together. */
export function IssuePage({ issueId, entryId }: { issueId: string; entryId?: string | undefined }) {
  const [search] = useLogSearch();
  const range = useRange(search, 0);
  const query = useQuery({
    ...read('GET /api/admin/client-logs/issues/:issueId', { issueId }, { entry: entryId, ...range }),
    ...LIVE,
    placeholderData: (before) => (before?.issue.id === issueId ? before : undefined),
  });
  return (
    <Live
      query={query}
      missing={
        <Empty
          title={m.logs_issue_gone()}
          line={m.logs_issue_gone_line()}
          action={<ButtonLink to="/admin/client-logs">{m.logs_back()}</ButtonLink>}
        />
      }
    >
      {(detail) => <Detail detail={detail} />}
    </Live>
  );
}

function Detail({ detail }: { detail: IssueDetail }) {
  const { issue, sample } = detail;
  const [search, change] = useLogSearch();
  const at = (entry: string) => logsAt('issue', { ...search, issue: issue.id, entry });
  useKeys({
    n: () => detail.newer !== null && change({ entry: detail.newer }),
    p: () => detail.older !== null && change({ entry: detail.older }),
  });
  return (
    <div className="issue-page">
      <header>
        <p className="issue-meta">
          <StateChip issue={issue} />
          {isLate(detail) && <Chip kind="pencil">{m.logs_late()}</Chip>}
          {issue.isOther && <Chip>{m.logs_other()}</Chip>}
        </p>
        <h2>
          <Inert>{issue.title}</Inert>
        </h2>
        {issue.culprit !== null && (
          <p className="text-tiny text-muted monospace">
            <Inert>{issue.culprit}</Inert>
          </p>
        )}
        <p className="text-small text-muted">
          {m.logs_issue_line({
            entries: countWord(issue.countAll),
            people: peopleWord(issue.people),
            first: momentWord(issue.firstSeen),
            last: momentWord(issue.lastSeen),
          })}
        </p>
        <Trend steps={issue.trend} loud={issue.regression} label={m.logs_trend({ n: countWord(issue.count) })} />
        <p className="text-small text-muted">
          {[
            m.logs_issue_offline({ share: percentWord(detail.offlineShare) }),
            ...(issue.countAll < SHARES_FROM
              ? []
              : [m.logs_issue_delay({ p50: spanWord(detail.delay.p50Ms), p95: spanWord(detail.delay.p95Ms) })]),
          ].join(' · ')}
        </p>
        <IssueCommands detail={detail} />
      </header>
      <div className="issue-columns">
        <section>
          <SectionHead
            title={m.logs_one_entry()}
            end={
              <span className="flex-row">
                {detail.newer !== null && (
                  <ButtonLink kind="words" {...at(detail.newer)}>
                    {m.logs_newer()}
                  </ButtonLink>
                )}
                {detail.older !== null && (
                  <ButtonLink kind="words" {...at(detail.older)}>
                    {m.logs_older()}
                  </ButtonLink>
                )}
              </span>
            }
          />
          {sample === null ? (
            <Empty title={m.logs_no_sample()} line={m.logs_no_sample_line()} />
          ) : (
            <EntryParts detail={sample} />
          )}
        </section>
        <aside>
          <Affected detail={detail} />
          <Card>
            <Groups detail={detail} />
          </Card>
          <Card>
            <History detail={detail} />
          </Card>
        </aside>
      </div>
      <p className="text-tiny text-muted only-wide">{m.logs_keys_issue()}</p>
    </div>
  );
}

/** An entry after the resolution from a release before the fix: it does not reopen the issue. */
function isLate({ issue, sample, history }: IssueDetail): boolean {
  const resolved = history.find(({ what }) => what === 'resolved') ?? null;
  return issue.state === 'resolved' && sample !== null && resolved !== null && sample.entry.receivedAt > resolved.at;
}
