import './your-data-screen.css';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Erasure, OwnData } from '../../../server/contract/person-data.ts';
import type { User } from '../../../server/contract/user.ts';
import { stampTime } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { userQuery } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Refused } from '../../shared/commands/command-parts.tsx';
import { useCommand } from '../../shared/commands/use-command.ts';
import { Anchor, Button, ButtonLink, SignInLink } from '../../ui/button.tsx';
import { Card, SectionHead } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Forbidden, Reading, State } from '../../ui/states.tsx';
import { Consents, ownData } from './consents.tsx';
import { Download } from './download.tsx';
import { Erase } from './erase.tsx';

/** An erasure requested in this document: signing out changes the frame, which remounts this screen. */
let requestedHere: Erasure | null = null;

/** A person's control of their data: download, consents, erasure. */
export function YourDataScreen() {
  const who = useQuery(userQuery);
  const [requested, setRequested] = useState(who.data === null ? requestedHere : null);
  const back = { to: '/settings', label: m.settings_title() } as const;
  if (requested) return <ErasureRequested erasure={requested} />;
  return (
    <Screen title={m.data_title()} lead={m.data_lead()} back={back}>
      {who.data === null ? (
        <Forbidden signIn line={m.data_signed_out()} />
      ) : (
        <Reading query={who as UseQueryResult<User | null>}>
          {(user) =>
            user && (
              <div className="your-data">
                <Cancelled />
                <SectionHead title={m.data_download_h()} />
                <Download user={user} />
                <Rest
                  onRequested={(erasure) => {
                    requestedHere = erasure;
                    setRequested(erasure);
                  }}
                />
              </div>
            )
          }
        </Reading>
      )}
    </Screen>
  );
}

/** Parts that need the server; this device's download is above and independent of them. */
function Rest({ onRequested }: { onRequested: (erasure: Erasure) => void }) {
  const query = useQuery({ ...ownData, staleTime: 0 });
  const user = useQuery(userQuery).data;
  return (
    <Reading query={query}>
      {(data) => (
        <>
          <SectionHead title={m.data_agreed_h()} />
          <Consents data={data} />
          <SectionHead title={m.data_kept_h()} />
          <Card className="stack-medium">
            <p>{m.data_kept_line()}</p>
            <div className="actions">
              <ButtonLink kind="edge" icon="shield" to="/privacy-policy" hash="stored">
                {m.data_kept_open()}
              </ButtonLink>
            </div>
          </Card>
          <SectionHead title={m.data_erase_h()} />
          {user && <Erase user={user} data={data} onDone={onRequested} />}
        </>
      )}
    </Reading>
  );
}

/** Signing in cancelled an erasure: what it was, and that everything is as before. It stays until it was read. */
function Cancelled() {
  const client = useQueryClient();
  const { data } = useQuery({ ...ownData, staleTime: 0 });
  const read = useCommand(
    (_: null, idempotencyKey) => call('DELETE /api/user/erasure/notice', { idempotencyKey }),
    () =>
      client.setQueryData(ownData.queryKey, (before: OwnData | undefined) => before && { ...before, cancelled: null }),
  );
  if (!data?.cancelled) return null;
  const { askedAt, dueAt, cancelledAt } = data.cancelled;
  return (
    <section className="card erasure-cancelled" aria-label={m.data_cancelled()}>
      <h2 className="flex-row">
        <Icon name="undo" />
        {m.data_cancelled()}
      </h2>
      <p>{m.data_cancelled_line({ asked: stampTime(askedAt), due: stampTime(dueAt), at: stampTime(cancelledAt) })}</p>
      <p className="text-small text-muted">{m.data_cancelled_as_before()}</p>
      <Refused error={read.error} />
      <div className="actions">
        <Button kind="edge" busy={read.isPending} onClick={() => read.mutate(null)}>
          {m.data_cancelled_read()}
        </Button>
      </div>
    </section>
  );
}

/** The erasure is requested: nobody is signed in any more, and how to cancel it. */
function ErasureRequested({ erasure }: { erasure: Erasure }) {
  return (
    <Screen title={m.data_asked()}>
      <State
        illustration="gate"
        title={m.data_asked_until({ time: stampTime(erasure.dueAt) })}
        actions={
          <>
            <SignInLink next="/your-data" kind="edge">
              {m.data_asked_cancel()}
            </SignInLink>
            <ButtonLink kind="words" to="/">
              {m.data_asked_home()}
            </ButtonLink>
          </>
        }
      >
        <p>{m.data_asked_line()}</p>
        <p className="text-small text-muted">
          {m.data_asked_policy()} <Anchor to="/privacy-policy">{m.shell_privacy()}</Anchor>
        </p>
      </State>
    </Screen>
  );
}
