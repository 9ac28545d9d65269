import './people.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { TRUST_START } from '../../../../server/contract/desk-limits.ts';
import type { FormerName, PersonDetail } from '../../../../server/contract/people.ts';
import { browserName } from '../../../lib/browser-name.ts';
import { day, number, signed, stampTime } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read, useUser } from '../../../lib/query.ts';
import { readsOf } from '../../../lib/query-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { pointCount, roleWord, whenWord } from '../../../shared/tasks/words.ts';
import { CommunityAvatar, PersonAvatar } from '../../../ui/avatar.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { ListRow, Quote } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/states.tsx';
import { DeskActionForm } from '../desk-actions.tsx';
import { DetailHead, Figures, History, Part, PartRows, SuspensionQuote } from '../detail-parts.tsx';
import { ForAdmins } from '../for-admins.tsx';
import { Badges } from './people-list.tsx';
import { ACTIONS_ID, PersonActions } from './person-actions.tsx';

const MEMBERSHIP_WORDS: Record<PersonDetail['membership'], () => string> = {
  member: m.people_channel_member,
  restricted: m.people_channel_restricted,
  left: m.people_channel_left,
  kicked: m.people_channel_kicked,
  unknown: m.people_channel_unknown,
};

const ERASURE_BY = {
  person: m.people_erasure_by_person,
  admin: m.people_erasure_by_admin,
  operator: m.people_erasure_by_operator,
} as const;
const FORMER_WORDS: Record<FormerName['kind'], (of: { name: string; day: string }) => string> = {
  telegram: m.people_former_telegram,
  x: m.people_former_x,
  display: m.people_former_display,
};

/** One account: identity, communities, sessions, history, and actions. */
export function PersonPage({ userId }: { userId: string }) {
  const query = useQuery({ ...read('GET /api/admin/people/:userId', { userId }), staleTime: 0, gcTime: 0 });
  return (
    <ForAdmins query={query} missing={<Empty title={m.people_gone()} line={m.people_gone_line()} />}>
      {(person) => <Whole person={person} />}
    </ForAdmins>
  );
}

function Whole({ person }: { person: PersonDetail }) {
  const me = useUser();
  return (
    <>
      <DetailHead
        avatar={<PersonAvatar name={person.displayName} size={72} />}
        name={person.displayName}
        line={[
          m.people_since({ day: day(person.joinedAt) }),
          person.lastSeenAt ? m.people_seen({ time: whenWord(person.lastSeenAt) }) : m.people_signed_out(),
        ].join(' · ')}
        badges={<Badges person={person} />}
        actionsId={ACTIONS_ID}
      />
      {person.erasure && (
        <Quote lead={m.people_erasure_lead({ time: stampTime(person.erasure.dueAt) })}>
          {ERASURE_BY[person.erasure.by]({ time: stampTime(person.erasure.askedAt) })}
        </Quote>
      )}
      <SuspensionQuote suspension={person.suspension} />
      <div className="person-columns">
        <div className="stack">
          <Standing person={person} />
          <Identities person={person} />
          <Trust person={person} />
          <Communities person={person} />
          <Sessions person={person} />
          <History history={person.history} none={m.people_no_history()} />
        </div>
        {me && <PersonActions key={person.id} person={person} isOwn={me.id === person.id} />}
      </div>
    </>
  );
}

function Standing({ person: { claims, communities } }: { person: PersonDetail }) {
  const points = communities.reduce((sum, one) => sum + one.points, 0);
  const figures = [
    [number(points), m.people_points({ count: points })],
    [number(claims.approved), m.people_approved()],
    [number(claims.rejected), m.people_rejected()],
    [number(claims.reversed), m.people_reversed()],
    [number(claims.waiting), m.people_waiting()],
  ] as const;
  return (
    <Part title={m.people_standing()}>
      <Figures figures={figures} />
    </Part>
  );
}

const X_PROVEN = {
  oauth: m.xtask_proven_oauth,
  post: m.xtask_proven_post,
  admin: m.xtask_proven_admin,
} as const;
function Identities({ person }: { person: PersonDetail }) {
  const { telegramUsername, telegramUserId, twitterUsername, xLinkedAt, xLinkedBy, membership, timeZone, formerNames } =
    person;
  return (
    <Part title={m.people_identities()}>
      <dl className="person-facts">
        <dt>{m.people_telegram()}</dt>
        <dd>
          {telegramUsername ? `@${telegramUsername}` : m.people_no_username()}
          <br />
          <span className="numeric text-muted">{telegramUserId}</span>
        </dd>
        {formerNames.length > 0 && (
          <>
            <dt>{m.people_former()}</dt>
            <dd>
              <ul>
                {formerNames.map(({ kind, name, until }) => (
                  <li key={`${kind} ${until} ${name}`}>{FORMER_WORDS[kind]({ name, day: day(until) })}</li>
                ))}
              </ul>
            </dd>
          </>
        )}
        <dt>{m.people_x()}</dt>
        <dd>
          {twitterUsername ? `@${twitterUsername}` : m.people_no_x()}
          {xLinkedAt && (
            <>
              <br />
              <span className="text-muted">
                {m.people_x_linked({ day: day(xLinkedAt) })}
                {xLinkedBy && ` · ${X_PROVEN[xLinkedBy]()}`}
              </span>
            </>
          )}
        </dd>
        <dt>{m.people_channel()}</dt>
        <dd>{MEMBERSHIP_WORDS[membership]()}</dd>
        <dt>{m.people_zone()}</dt>
        <dd>{timeZone}</dd>
      </dl>
    </Part>
  );
}

function Communities({ person: { communities } }: { person: PersonDetail }) {
  return (
    <Part title={m.people_communities()}>
      <PartRows items={communities} keyOf={({ id }) => id} none={m.people_no_communities()}>
        {({ slug, name, role, points }) => (
          <ListRow
            lead={<CommunityAvatar name={name} />}
            title={name}
            line={roleWord(role)}
            end={<span className="numeric">{pointCount(points)}</span>}
            link={{ to: '/community/$communityId', params: { communityId: slug } }}
          />
        )}
      </PartRows>
    </Part>
  );
}

function Trust({ person: { trust } }: { person: PersonDetail }) {
  if (trust.length === 0) return null;
  return (
    <Part title={m.people_trust()}>
      <p className="text-small text-muted">{m.people_trust_line()}</p>
      {trust.map(({ communityId, name, score, signals }) => (
        <details key={communityId} className="disclosure">
          <summary>
            {m.people_trust_in({ community: name })}{' '}
            <b className="numeric">{m.leader_trust_of({ n: number(score) })}</b>
          </summary>
          <dl className="person-sum text-small">
            <dt>{m.people_trust_start()}</dt>
            <dd className="numeric">{number(TRUST_START)}</dd>
            {signals.map(({ code, effect, note }) => (
              <Fragment key={code}>
                <dt>{note}</dt>
                <dd className="numeric">
                  <bdi dir="ltr">{signed(effect)}</bdi>
                </dd>
              </Fragment>
            ))}
          </dl>
        </details>
      ))}
    </Part>
  );
}

function Sessions({ person }: { person: PersonDetail }) {
  const { id, sessions, devices } = person;
  const [ending, setEnding] = useState<string | null>(null);
  return (
    <Part title={m.people_sessions()}>
      <PartRows items={sessions} keyOf={(session) => session.id} none={m.people_no_sessions()}>
        {(session) => (
          <>
            <ListRow
              title={sessionWord(session)}
              line={m.people_session_line({ seen: whenWord(session.lastSeenAt), since: day(session.createdAt) })}
              end={
                ending !== session.id && (
                  <Button
                    kind="words"
                    aria-label={m.people_end_session_label({ device: sessionWord(session) })}
                    onClick={() => setEnding(session.id)}
                  >
                    {m.people_end_session()}
                  </Button>
                )
              }
            />
            {ending === session.id && (
              <EndSession person={person} sessionId={session.id} onClose={() => setEnding(null)} />
            )}
          </>
        )}
      </PartRows>
      <p className="text-small text-muted">{m.people_devices({ count: devices, n: number(devices) })}</p>
      <ButtonLink kind="words" icon="ledger" to="/admin/client-logs/timeline" search={{ user: id }}>
        {m.people_timeline()}
      </ButtonLink>
    </Part>
  );
}

function EndSession(props: { person: PersonDetail; sessionId: string; onClose: () => void }) {
  const { person, sessionId, onClose } = props;
  const client = useQueryClient();
  return (
    <DeskActionForm
      about={`person:${person.id}`}
      action={{
        name: `session:${sessionId}`,
        icon: 'sign-out',
        title: m.people_end_session_title(),
        line: '',
        hint: m.people_reason_kept(),
        happens: [m.people_end_session_1(), m.people_end_session_2()],
        done: () => m.people_end_session_done({ who: person.displayName }),
        act: () => m.people_end_session(),
        run: (body, idempotencyKey) =>
          call('POST /api/admin/people/:userId/sessions/:sessionId/end', {
            params: { userId: person.id, sessionId },
            body,
            idempotencyKey,
          }),
      }}
      onClose={onClose}
      onDone={() => void client.invalidateQueries(readsOf(['GET /api/admin/people', 'GET /api/admin/people/:userId']))}
    />
  );
}

function sessionWord({ kind, userAgent }: PersonDetail['sessions'][number]): string {
  if (kind === 'mini_app') return m.people_session_telegram();
  const browser = browserName(userAgent);
  if (!browser) return m.people_session_unknown();
  return browser.system ? `${browser.browser}, ${browser.system}` : browser.browser;
}
