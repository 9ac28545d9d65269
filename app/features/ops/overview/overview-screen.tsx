import './overview-screen.css';
import { useQuery } from '@tanstack/react-query';
import type { AdminOverview, CheckName } from '../../../../server/contract/overview.ts';
import { stampTime } from '../../../lib/format.ts';
import { read, useAsOf, useUser } from '../../../lib/query.ts';
import { useLive } from '../../../lib/use-live.ts';
import { m } from '../../../paraglide/messages.js';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { SectionHead } from '../../../ui/card.tsx';
import { Screen } from '../../../ui/screen.tsx';
import { Reading } from '../../../ui/states.tsx';
import { ForStaff, useIsStaff } from '../for-staff.tsx';
import { NotAnOperator } from '../not-an-operator.tsx';
import { Alerts } from './alerts.tsx';
import { Instance, RecentActions, Waiting } from './aside.tsx';
import { Attention } from './attention.tsx';
import { CHECK_NAMES } from './check-names.ts';
import { CheckRows } from './check-rows.tsx';
import { HealthBoard } from './health-board.tsx';
import { JobRuns } from './job-runs.tsx';
import { Switches } from './switches.tsx';

const EVERY_MS = 60_000;
/** Most urgent first: failed, then warnings, then unknown. */
const URGENCY = { failed: 0, attention: 1, unknown: 2, fine: 3 } as const;

const overview = { ...read('GET /api/admin/overview'), staleTime: 0, refetchInterval: EVERY_MS };

/** `/admin`: what needs attention on this instance, worst first; offline, the last data seen. */
export function OverviewScreen() {
  const staff = useIsStaff();
  const isStaff = staff === true;
  const query = useQuery({ ...overview, enabled: isStaff });
  useLive(null, ['desk'], isStaff);
  const asOf = useAsOf(overview.queryKey);
  const user = useUser();
  return (
    <Screen
      title={m.desk_title()}
      asOf={asOf}
      onRetry={query.refetch}
      actions={
        staff !== false && (
          // Space is reserved until the role and the time of the checks are known, so nothing moves.
          <span className="desk-actions" style={{ visibility: isStaff ? 'visible' : 'hidden' }}>
            <span className="text-small text-muted" style={{ visibility: query.data ? 'inherit' : 'hidden' }}>
              {m.desk_checked({ time: stampTime(query.data?.asOf ?? new Date().toISOString()) })}
            </span>
            {user?.role !== 'ops' && (
              <ButtonLink kind="edge" icon="announce" to="/admin/announcements">
                {m.desk_announce_link()}
              </ButtonLink>
            )}
            <Button kind="edge" icon="retry" busy={query.isFetching} onClick={() => void query.refetch()}>
              {m.desk_refresh()}
            </Button>
          </span>
        )
      }
    >
      <ForStaff>
        <Reading query={query} forbidden={<NotAnOperator telegramUserId={user?.telegramUserId ?? null} />}>
          {(data) => <Drawn data={data} />}
        </Reading>
      </ForStaff>
    </Screen>
  );
}

function Drawn({ data }: { data: AdminOverview }) {
  const { checks } = data;
  const troubled = CHECK_NAMES.filter((name) => checks[name].state !== 'fine').sort(
    (one, other) => URGENCY[checks[one].state] - URGENCY[checks[other].state],
  );
  const well: CheckName[] = CHECK_NAMES.filter((name) => checks[name].state === 'fine');
  return (
    <>
      <HealthBoard checks={checks} troubled={troubled} />
      {troubled.length > 0 && (
        <section aria-label={m.desk_needs()}>
          <SectionHead
            title={m.desk_needs()}
            end={<span className="text-small text-muted">{m.desk_urgent_first()}</span>}
          />
          <div className="stack">
            {troubled.map((name) => (
              <Attention key={name} name={name} check={checks[name]} />
            ))}
          </div>
        </section>
      )}
      <div className="desk-split">
        <div>
          {well.length > 0 && (
            <section>
              <SectionHead
                title={troubled.length > 0 ? m.desk_rest_fine() : m.desk_checks()}
                end={<span className="text-small text-muted">{m.desk_last_days()}</span>}
              />
              <CheckRows names={well} checks={checks} />
            </section>
          )}
          <JobRuns />
          <Switches />
        </div>
        <div>
          <Waiting waiting={data.waiting} />
          <Alerts alerts={data.alerts} />
          <Instance data={data} />
          <RecentActions />
        </div>
      </div>
    </>
  );
}
