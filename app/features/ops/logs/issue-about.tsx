import './issue-about.css';
import './parts.css';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { IssueDetail } from '../../../../server/contract/ops-logs.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { m } from '../../../paraglide/messages.js';
import { Anchor } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Inert, LogCommandButton, Refused, useLogCommand } from './parts.tsx';
import { logsAt } from './search.ts';
import { countWord, filterWord, momentWord, valueWord } from './words.ts';

const KINDS = ['release', 'community', 'route', 'browser', 'os', 'display', 'connection', 'engine'] as const;

/** The issue's most affected people and devices; each value links to its entries. */
export function Affected({ detail: { affected, issue } }: { detail: IssueDetail }) {
  return (
    <Card>
      <h3>{m.logs_affected()}</h3>
      {KINDS.filter((kind) => affected[kind].length > 0).map((kind) => {
        const all = affected[kind].reduce((sum, { count }) => sum + count, 0);
        return (
          <section key={kind} className="share-bars">
            <h4 className="text-tiny text-muted">{filterWord(kind)}</h4>
            <ul>
              {affected[kind].map((share) => (
                <li key={share.value}>
                  <Anchor
                    {...logsAt('entries', { issue: issue.id, [kind]: share.value, last: '30d' })}
                    title={m.logs_seen_between({
                      first: momentWord(share.firstSeen),
                      last: momentWord(share.lastSeen),
                    })}
                  >
                    <Inert>{valueWord(kind, share.value)}</Inert>
                  </Anchor>
                  <svg className="share-bars__bar" aria-hidden="true">
                    <rect width={`${all > 0 ? Math.max(1, (share.count / all) * 100) : 0}%`} height="100%" rx="2" />
                  </svg>
                  <span className="numeric">{number(share.count)}</span>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </Card>
  );
}

/** The issue's groups and why they belong together; some can be split off. */
export function Groups({ detail: { groups, issue } }: { detail: IssueDetail }) {
  const [picked, setPicked] = useState<readonly string[]>([]);
  const navigate = useNavigate();
  const split = useLogCommand(
    (groupIds: readonly string[]) =>
      call('POST /api/admin/client-logs/issues/:issueId/split', {
        params: { issueId: issue.id },
        body: { groupIds: [...groupIds] },
      }),
    (made) => void navigate({ to: '/admin/client-logs/issue', search: { issue: made.issue.id } }),
  );
  const isSplittable = groups.length > 1 && !issue.isOther;
  const held =
    picked.length === 0 ? m.logs_split_pick() : picked.length === groups.length ? m.logs_split_one_stays() : null;
  return (
    <>
      <h3>{m.logs_why()}</h3>
      <p className="text-tiny text-muted">{m.logs_why_line()}</p>
      <ul className="issue-groups">
        {groups.map((group) => (
          <li key={group.id}>
            {isSplittable && (
              <label className="log-tick text-tiny">
                <input
                  type="checkbox"
                  checked={picked.includes(group.id)}
                  onChange={() =>
                    setPicked(
                      picked.includes(group.id) ? picked.filter((id) => id !== group.id) : [...picked, group.id],
                    )
                  }
                />
                {m.logs_split_take()}
              </label>
            )}
            <dl className="log-facts">
              <div>
                <dt>{m.logs_why_type()}</dt>
                <dd>
                  <Inert>{group.why.type}</Inert>
                </dd>
              </div>
              <div>
                <dt>{m.logs_why_message()}</dt>
                <dd>
                  <Inert>{group.why.message}</Inert>
                </dd>
              </div>
              <div>
                <dt>{m.logs_why_frames()}</dt>
                <dd>
                  {group.why.frames.length === 0 ? (
                    m.logs_why_no_frames()
                  ) : (
                    <Inert>{group.why.frames.join('\n')}</Inert>
                  )}
                </dd>
              </div>
            </dl>
            <p className="text-tiny text-muted">
              {m.logs_group_line({
                entries: countWord(group.count),
                last: momentWord(group.lastSeen),
                version: group.version,
              })}
            </p>
          </li>
        ))}
      </ul>
      {isSplittable && (
        <>
          <Refused error={split.error} />
          <LogCommandButton kind="edge" command={split} body={picked} held={held}>
            {m.logs_split()}
          </LogCommandButton>
        </>
      )}
    </>
  );
}

const WHAT = {
  first_seen: m.logs_did_first_seen,
  resolved: m.logs_did_resolved,
  ignored: m.logs_did_ignored,
  reopened: m.logs_did_reopened,
  regressed: m.logs_did_regressed,
  condition_met: m.logs_did_condition_met,
  merged: m.logs_did_merged,
  split: m.logs_did_split,
  regrouped: m.logs_did_regrouped,
} as const;

/** The issue's history, latest first. */
export function History({ detail: { history } }: { detail: IssueDetail }) {
  return (
    <>
      <h3>{m.logs_history()}</h3>
      <ol className="issue-history">
        {history.map((event) => (
          <li key={`${event.at} ${event.what} ${event.detail}`}>
            <span className="text-tiny text-muted">{momentWord(event.at)}</span>
            <span className="text-small">
              {WHAT[event.what]()}
              {event.detail !== null && (
                <>
                  {' '}
                  <Inert>{event.detail}</Inert>
                </>
              )}
              {event.by !== null && (
                <>
                  {', '}
                  <Inert>{event.by}</Inert>
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
