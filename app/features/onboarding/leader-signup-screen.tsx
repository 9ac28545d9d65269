import { useQuery, useQueryClient } from '@tanstack/react-query';
import { APPLICATION_TEXT_MAX, LINK_MAX } from '../../../server/contract/limits.ts';
import type { Application, LeaderApplication } from '../../../server/contract/members.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import { number } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Form, useForm } from '../../shared/commands/form.tsx';
import { whenWord } from '../../shared/tasks/words.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Quote, SectionHead } from '../../ui/card.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
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

const shortText = (text: string) =>
  seenLength(text) < TEXT_MIN ? m.leader_signup_short({ n: number(TEXT_MIN) }) : null;
const isWebLink = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

function ApplyForm() {
  const client = useQueryClient();
  const form = useForm({
    draft: 'application',
    initial: BLANK,
    problems: ({ about, plan, link }) => ({
      about: shortText(about),
      plan: shortText(plan),
      link: link.trim() === '' || isWebLink(link.trim()) ? null : m.leader_signup_link_wrong(),
    }),
    body: ({ about, plan, link }) => ({
      about: about.trim(),
      plan: plan.trim(),
      ...(link.trim() && { link: link.trim() }),
    }),
    send: (body, idempotencyKey) => call('POST /api/user/leader-application', { body, idempotencyKey }),
    done: (found) => client.setQueryData(reading.queryKey, found),
  });
  return (
    <section>
      <SectionHead title={m.leader_signup_apply()} />
      <Card>
        <Form form={form} act={m.leader_signup_send()} icon="send" isWide note={m.leader_kept_here()}>
          <p className="text-small text-muted">{m.leader_signup_apply_line()}</p>
          <TextArea
            label={m.leader_signup_about()}
            hint={m.leader_signup_about_hint()}
            maxLength={APPLICATION_TEXT_MAX}
            {...form.field('about')}
          />
          <TextArea
            label={m.leader_signup_plan()}
            hint={m.leader_signup_plan_hint()}
            maxLength={APPLICATION_TEXT_MAX}
            {...form.field('plan')}
          />
          <Field
            label={m.leader_signup_link()}
            hint={m.leader_signup_link_hint()}
            type="url"
            inputMode="url"
            maxLength={LINK_MAX}
            {...form.field('link')}
          />
        </Form>
      </Card>
    </section>
  );
}
