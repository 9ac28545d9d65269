import './ops-overview-screen.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AdminOverview } from '../../../server/contract/routes.ts';
import { isNetworkFailure } from '../../lib/http.ts';
import { read, useUser } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Chip } from '../../ui/card.tsx';
import { number, stampTime } from '../../ui/format.ts';
import { Screen } from '../../ui/screen.tsx';
import { OfflineEmpty, Reading } from '../../ui/states.tsx';
import { bytesWord } from './bytes.ts';
import { NotAnOperator } from './not-an-operator.tsx';

const overview = { ...read('GET /api/admin/overview'), staleTime: 0, gcTime: 0 };

/** `/admin`: health of the instance, for operators; live only. */
export function OpsOverviewScreen() {
  const query = useQuery(overview);
  const user = useUser();
  return (
    <Screen
      title={m.ops_title()}
      lead={query.data ? m.ops_lead() : undefined}
      actions={
        query.data && (
          <>
            <ButtonLink kind="edge" icon="ledger" to="/admin/client-logs">
              {m.ops_logs()}
            </ButtonLink>
            {user?.role === 'admin' && (
              <>
                <ButtonLink kind="edge" icon="you" to="/admin/account-management">
                  {m.ops_accounts()}
                </ButtonLink>
                <ButtonLink kind="edge" icon="announce" to="/admin/announcements">
                  {m.desk_announce()}
                </ButtonLink>
                <ButtonLink kind="edge" icon="ledger" to="/admin/audit">
                  {m.desk_audit()}
                </ButtonLink>
              </>
            )}
            <Button kind="edge" icon="retry" busy={query.isFetching} onClick={() => void query.refetch()}>
              {m.ops_refresh()}
            </Button>
          </>
        )
      }
    >
      {query.error && isNetworkFailure(query.error) ? (
        <OfflineEmpty onRetry={query.refetch} />
      ) : (
        <Reading query={query} forbidden={<NotAnOperator telegramUserId={user?.telegramUserId ?? null} />}>
          {(data) => <Figures data={data} />}
        </Reading>
      )}
    </Screen>
  );
}

function Figures({ data }: { data: AdminOverview }) {
  const { people, claims, storage, telegram, clientLogs } = data;
  return (
    <div className="ops-grid">
      <Group title={m.ops_people()}>
        <Row name={m.ops_people_all()} value={number(people.all)} />
        <Row name={m.ops_people_verified()} value={number(people.verified)} />
        <Row name={m.ops_people_revoked()} value={number(people.revoked)} />
        <Row name={m.ops_communities()} value={number(data.communities)} />
      </Group>
      <Group title={m.ops_claims()}>
        <Row name={m.ops_claims_waiting()} value={number(claims.waiting)} />
        <Row name={m.ops_claims_approved()} value={number(claims.approved)} />
        <Row name={m.ops_claims_rejected()} value={number(claims.rejected)} />
        <Row
          name={m.ops_ledger()}
          value={
            data.ledgerMatchesStandings ? (
              <Chip kind="ink">{m.ops_ledger_matches()}</Chip>
            ) : (
              <Chip kind="no">{m.ops_ledger_differs()}</Chip>
            )
          }
        />
      </Group>
      <Group title={m.ops_telegram()}>
        <Row name={m.ops_telegram_bot()} value={<BotState telegram={telegram} />} />
        <Row name={m.ops_telegram_channel()} value={telegram.requiredChannel ?? m.ops_none()} />
        <Row name={m.ops_x()} value={data.x.configured ? m.ops_configured() : m.ops_not_configured()} />
      </Group>
      <Group title={m.ops_storage()}>
        <Row
          name={m.ops_storage()}
          value={
            storage.kind === 'embedded'
              ? m.ops_storage_embedded({ version: storage.version })
              : m.ops_storage_external({ version: storage.version })
          }
        />
        <Row name={m.ops_storage_schema()} value={number(storage.schema)} />
        <Row name={m.ops_storage_size()} value={bytesWord(storage.bytes)} />
      </Group>
      <Group title={m.ops_logs()}>
        <Row name={m.ops_logs_error()} value={number(clientLogs.error)} />
        <Row name={m.ops_logs_debug()} value={number(clientLogs.debug)} />
      </Group>
      <Group title={m.ops_process()}>
        <Row name={m.ops_build()} value={<code>{data.build}</code>} />
        <Row name={m.ops_started()} value={stampTime(data.startedAt)} />
      </Group>
    </div>
  );
}

function BotState({ telegram }: { telegram: AdminOverview['telegram'] }) {
  if (!telegram.configured) return m.ops_not_configured();
  if (telegram.botUsername) return m.ops_telegram_answers({ name: telegram.botUsername });
  return <Chip kind="no">{m.ops_telegram_silent({ error: telegram.error ?? '' })}</Chip>;
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card">
      <h2 className="ops-head">{title}</h2>
      <dl className="ops-rows">{children}</dl>
    </section>
  );
}

function Row({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
