import { useQuery } from '@tanstack/react-query';
import type { AdminOverview } from '../../../../server/contract/overview.ts';
import { number, stampTime } from '../../../lib/format.ts';
import { isNetworkFailure } from '../../../lib/http.ts';
import { read, useUser } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Anchor } from '../../../ui/button.tsx';
import { Card, ListRow, SectionHead } from '../../../ui/card.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Reading } from '../../../ui/states.tsx';
import { actionWord } from '../people/action-words.ts';
import { ageWord } from '../words.ts';

type Waits = AdminOverview['waiting'];
type Kind = keyof Waits;
type Words = { icon: IconName; name: () => string; count: (words: { count: number; n: string }) => string };

const KINDS: Record<Kind, Words> = {
  applications: {
    icon: 'inbox',
    name: m.desk_waiting_applications_name,
    count: m.desk_waiting_applications,
  },
  partnerships: { icon: 'link', name: m.desk_waiting_partnerships_name, count: m.desk_waiting_partnerships },
  appeals: { icon: 'appeal', name: m.desk_waiting_appeals_name, count: m.desk_waiting_appeals },
  reviews: { icon: 'review', name: m.desk_waiting_reviews_name, count: m.desk_waiting_reviews },
};
const ORDER = Object.keys(KINDS) as Kind[];

/** Requests that wait for an answer. A queue that could not be read says so and leaves the others. */
export function Waiting({ waiting }: { waiting: Waits }) {
  const isAdmin = useUser()?.role === 'admin';
  const shown = ORDER.filter((kind) => waiting[kind] === null || (waiting[kind]?.count ?? 0) > 0);
  return (
    <section>
      <SectionHead title={m.desk_waiting()} />
      <Card className="card--rows">
        {shown.length === 0 ? (
          <ListRow title={m.desk_waiting_none()} line={m.desk_waiting_none_line()} />
        ) : (
          <ul className="ruled-list">
            {shown.map((kind) => (
              <li key={kind}>
                <Queue kind={kind} queue={waiting[kind]} mayOpen={isAdmin} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </section>
  );
}

function Queue({ kind, queue, mayOpen }: { kind: Kind; queue: Waits[Kind]; mayOpen: boolean }) {
  const { icon, name, count } = KINDS[kind];
  const lead = <Icon name={icon} />;
  if (queue === null) return <ListRow lead={lead} title={name()} line={m.desk_waiting_unknown()} />;
  const line = queue.oldestAt === null ? undefined : oldestLine(kind, ageWord(queue.oldestAt));
  return (
    <ListRow
      lead={lead}
      title={count({ count: queue.count, n: number(queue.count) })}
      line={line}
      {...(mayOpen &&
        (kind === 'applications' || kind === 'partnerships') && {
          link: { to: `/admin/account-management/${kind}` } as const,
        })}
    />
  );
}

/** Operators do not review answers: it says whose they are, and the longest wait. */
const oldestLine = (kind: Kind, span: string): string =>
  kind === 'reviews' || kind === 'appeals' ? m.desk_waiting_leaders({ span }) : m.desk_waiting_oldest({ span });

/** The instance's size, and its versions. */
export function Instance({ data: { counts, versions } }: { data: AdminOverview }) {
  return (
    <section>
      <SectionHead title={m.desk_instance()} />
      <Card className="card--rows">
        <ul className="ruled-list">
          {counts === null ? (
            <li>
              <ListRow title={m.desk_counts_unknown()} />
            </li>
          ) : (
            <>
              <li>
                <ListRow
                  lead={<Icon name="you" />}
                  title={m.desk_people({ count: counts.people, n: number(counts.people) })}
                  line={m.desk_people_line({ n: number(counts.verified) })}
                />
              </li>
              <li>
                <ListRow
                  lead={<Icon name="communities" />}
                  title={m.desk_communities({ count: counts.communities, n: number(counts.communities) })}
                  line={m.desk_communities_line({ count: counts.activeToday, n: number(counts.activeToday) })}
                />
              </li>
            </>
          )}
          <li>
            <ListRow
              lead={<Icon name="update" />}
              title={m.desk_version({ build: versions.build })}
              line={m.desk_version_line({ time: stampTime(versions.startedAt), node: versions.node })}
            />
          </li>
        </ul>
      </Card>
    </section>
  );
}

const recentActs = { ...read('GET /api/admin/recent-acts'), staleTime: 0, gcTime: 0 };

/** Administrators' latest actions. They contain names, so they are only shown live. */
export function RecentActions() {
  const query = useQuery(recentActs);
  return (
    <section>
      <SectionHead
        title={m.desk_acts()}
        end={
          <Anchor className="text-link touch-target" to="/admin/audit">
            {m.desk_acts_all()}
          </Anchor>
        }
      />
      {query.data === undefined && isNetworkFailure(query.error) ? (
        <p className="text-small text-muted">{m.desk_acts_offline()}</p>
      ) : (
        <Reading query={query}>
          {(rows) => (
            <Card className="card--rows">
              {rows.length === 0 ? (
                <ListRow title={m.desk_acts_none()} line={m.desk_acts_none_line()} />
              ) : (
                <ul className="ruled-list">
                  {rows.map(({ id, at, action, by, subject }) => (
                    <li key={id}>
                      <ListRow
                        title={subject === null ? actionWord(action) : `${actionWord(action)}: ${subject}`}
                        line={m.desk_acts_by({ who: by ?? m.desk_acts_server(), time: stampTime(at) })}
                        end={null}
                      />
                    </li>
                  ))}
                </ul>
              )}
            </Card>
          )}
        </Reading>
      )}
    </section>
  );
}
