import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { APPLICATION_TEXT_MAX, LINK_MAX } from '../../../server/contract/limits.ts';
import type { Application, LeaderApplication } from '../../../server/contract/members.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import { useDraft } from '../../lib/drafts.ts';
import { number } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { useOnline } from '../../lib/online.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { errorText } from '../../lib/refusal-words.ts';
import { useCommandKey } from '../../lib/use-command-key.ts';
import { m } from '../../paraglide/messages.js';
import { whenWord } from '../../shared/tasks/words.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card, Quote, SectionHead } from '../../ui/card.tsx';
import { Field, showWrong, TextArea } from '../../ui/field.tsx';
import { Mark } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Reading } from '../../ui/states.tsx';

const TEXT_MIN = 20;
const reading = read('GET /api/user/leader-application');

/** Who may lead, what is missing, and how to apply for it. */
export function LeaderSignupScreen() {
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  return (
    <Screen
      title={m.leader_signup()}
      lead={m.leader_signup_lead()}
      back={{ to: '/communities', label: m.shell_to_communities() }}
      asOf={asOf}
      onRetry={() => query.refetch()}
    >
      <div className="receipt">
        <Reading query={query}>{(found) => <Standing found={found} />}</Reading>
      </div>
    </Screen>
  );
}

type What = LeaderApplication['eligibility'][number]['what'];
const WHAT: Record<What, { title: () => string; how: () => string }> = {
  telegram_username: { title: m.leader_elig_telegram_username, how: m.leader_elig_how_telegram_username },
  x_linked: { title: m.leader_elig_x_linked, how: m.leader_elig_how_x_linked },
  verified: { title: m.leader_elig_verified, how: m.leader_elig_how_verified },
  in_channel: { title: m.leader_elig_in_channel, how: m.leader_elig_how_in_channel },
};

function Standing({ found }: { found: LeaderApplication }) {
  const { application } = found;
  return (
    <div className="stack-large">
      {found.mayLead ? (
        <Card>
          <h2>{application?.state === 'approved' ? m.leader_signup_approved() : m.leader_signup_ready()}</h2>
          <p className="text-muted">
            {application?.state === 'approved' && application.decidedAt
              ? m.leader_signup_approved_line({ time: whenWord(application.decidedAt) })
              : m.leader_signup_ready_line()}
          </p>
          <div className="actions">
            <ButtonLink to="/community-leader-wizard" icon="plus">
              {m.leader_signup_begin()}
            </ButtonLink>
          </div>
        </Card>
      ) : (
        application && <Status application={application} />
      )}
      <section>
        {!found.mayLead && <SectionHead title={m.leader_signup_missing()} />}
        <Card>
          <ul className="ruled-list">
            {found.eligibility.map(({ what, met }) => (
              <li key={what} className="check-row">
                <Mark state={met ? 'ink' : 'slot'} />
                <h3>
                  {WHAT[what].title()}{' '}
                  <span className="visually-hidden">{met ? m.leader_elig_done() : m.leader_elig_open()}</span>
                </h3>
                {!met && <p className="text-small text-muted">{WHAT[what].how()}</p>}
              </li>
            ))}
          </ul>
          {!found.mayLead && (
            <div className="actions">
              <ButtonLink kind="edge" to="/profile-accounts">
                {m.leader_signup_accounts()}
              </ButtonLink>
            </div>
          )}
        </Card>
      </section>
      {!found.mayLead && application?.state !== 'submitted' && <ApplyForm />}
    </div>
  );
}

function Status({ application }: { application: Application }) {
  const waits = application.state === 'submitted';
  return (
    <Card>
      <div className="flex-row receipt__head">
        <Mark state={waits ? 'received' : 'refused'} />
        <div className="flex-grow">
          <h2>{waits ? m.leader_signup_sent() : m.leader_signup_rejected()}</h2>
          <p className="text-small text-muted">
            {waits
              ? m.leader_signup_sent_line({ time: whenWord(application.submittedAt) })
              : m.leader_signup_rejected_line({ time: whenWord(application.decidedAt ?? application.submittedAt) })}
          </p>
        </div>
      </div>
      {application.reason && <Quote lead={m.member_in_quotes({ words: application.reason })} />}
      <details>
        <summary>{m.leader_signup_yours()}</summary>
        <p className="text-small written-text">{application.about}</p>
        <p className="text-small written-text">{application.plan}</p>
        {application.link && <p className="text-small break-anywhere">{application.link}</p>}
      </details>
    </Card>
  );
}

const BLANK = { about: '', plan: '', link: '' };

function ApplyForm() {
  const { draft, change, drop } = useDraft('application', BLANK);
  const [tried, setTried] = useState(false);
  const keyFor = useCommandKey();
  const client = useQueryClient();
  const offline = useOnline() ? null : m.leader_needs_connection();
  const [about, plan, link] = [draft.about.trim(), draft.plan.trim(), draft.link.trim()];
  const linkWrong = link !== '' && !(URL.canParse(link) && /^https?:$/.test(new URL(link).protocol));
  const send = useMutation({
    mutationFn: () => {
      const body = { about, plan, ...(link && { link }) };
      return call('POST /api/user/leader-application', { body, idempotencyKey: keyFor(body) });
    },
    onSuccess: (found) => {
      drop();
      client.setQueryData(reading.queryKey, found);
    },
  });
  const short = (text: string) =>
    tried && seenLength(text) < TEXT_MIN ? m.leader_signup_short({ n: number(TEXT_MIN) }) : null;
  return (
    <section>
      <SectionHead title={m.leader_signup_apply()} />
      <Card>
        <form
          className="form-stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            showWrong(event.currentTarget, () => setTried(true));
            if (offline || seenLength(about) < TEXT_MIN || seenLength(plan) < TEXT_MIN || linkWrong) return;
            send.mutate();
          }}
        >
          <p className="text-small text-muted">{m.leader_signup_apply_line()}</p>
          <TextArea
            label={m.leader_signup_about()}
            hint={m.leader_signup_about_hint()}
            maxLength={APPLICATION_TEXT_MAX}
            value={draft.about}
            error={short(about)}
            onValue={(value) => change({ about: value })}
          />
          <TextArea
            label={m.leader_signup_plan()}
            hint={m.leader_signup_plan_hint()}
            maxLength={APPLICATION_TEXT_MAX}
            value={draft.plan}
            error={short(plan)}
            onValue={(value) => change({ plan: value })}
          />
          <Field
            label={m.leader_signup_link()}
            hint={m.leader_signup_link_hint()}
            type="url"
            inputMode="url"
            maxLength={LINK_MAX}
            value={draft.link}
            error={tried && linkWrong ? m.leader_signup_link_wrong() : null}
            onValue={(value) => change({ link: value })}
          />
          {send.error !== null && <Quote lead={m.member_not_done()}>{errorText(send.error)}</Quote>}
          <Button type="submit" icon="send" busy={send.isPending} disabledReason={offline}>
            {m.leader_signup_send()}
          </Button>
          <p className="text-tiny text-muted">{m.leader_kept_here()}</p>
        </form>
      </Card>
    </section>
  );
}
