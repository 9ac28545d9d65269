import '../../claims/choices.css';
import './announcements.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { InstanceReach, NewCampaign } from '../../../../server/contract/campaigns.ts';
import { ANNOUNCEMENT_TITLE_MAX, CAMPAIGN_BODY_MAX } from '../../../../server/contract/limits.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import { fromLocal } from '../../../lib/dates.ts';
import { useDraft } from '../../../lib/drafts.ts';
import { call } from '../../../lib/http.ts';
import { product } from '../../../lib/product.ts';
import { read } from '../../../lib/query.ts';
import { readsOf } from '../../../lib/query-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Field, showWrong, TextArea } from '../../../ui/field.tsx';
import { number, stampTime, timeOfDay } from '../../../ui/format.ts';
import { Hatch, Logo } from '../../../ui/icon.tsx';
import { Dialog } from '../../../ui/sheet.tsx';
import { toast } from '../../../ui/toast.tsx';
import { CommandButton, Refused } from '../../leader/command-parts.tsx';
import { useCommand, useNeedsConnection } from '../../leader/use-command.ts';

const TITLE_MIN = 3;
const SEEN_DAYS = 30;
const WHO = ['everyone', 'seen', 'staff'] as const;
type Who = (typeof WHO)[number];
const WHO_WORDS: Record<Who, { title: () => string; line: () => string }> = {
  everyone: { title: m.desk_announce_everyone, line: m.desk_announce_everyone_line },
  seen: { title: m.desk_announce_seen, line: () => m.desk_announce_seen_line({ n: number(SEEN_DAYS) }) },
  staff: { title: m.desk_announce_staff, line: m.desk_announce_staff_line },
};
const AUDIENCES: Record<Who, NewCampaign['audience']> = {
  everyone: {},
  seen: { activeDays: SEEN_DAYS },
  staff: { roles: ['leader', 'moderator'] },
};
const ASKED: Record<Who, { role?: 'leader'; activeDays?: string }> = {
  everyone: {},
  seen: { activeDays: String(SEEN_DAYS) },
  staff: { role: 'leader' },
};
const BLANK = { title: '', body: '', who: 'everyone' as Who, when: 'now' as 'now' | 'later', sendAt: '' };

/** One form: what is said, to whom and when; beside it how many it reaches and how it looks. Sending is asked once more. */
export function AnnouncementComposer() {
  const { draft, change, drop } = useDraft('instance-announcement', BLANK);
  const [tried, setTried] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const offline = useNeedsConnection();
  const [title, body] = [draft.title.trim(), draft.body.trim()];
  const isLater = draft.when === 'later';
  const isPast = isLater && !(Date.parse(draft.sendAt) > Date.now());
  const isShort = seenLength(title) < TITLE_MIN;
  const { data: reach } = useQuery({
    ...read('GET /api/admin/campaigns/reach', undefined, ASKED[draft.who]),
    staleTime: 0,
    gcTime: 0,
  });
  const send = useCommand(
    (campaign: NewCampaign, idempotencyKey) => call('POST /api/admin/campaigns', { body: campaign, idempotencyKey }),
    () => {
      drop();
      setTried(false);
      setAsking(false);
      toast({ mark: 'ink', title: isLater ? m.desk_announce_is_planned() : m.desk_announce_is_sent() });
      void client.invalidateQueries(readsOf(['GET /api/admin/campaigns']));
    },
  );
  const test = useCommand(
    (words: { title: string; body: string }, idempotencyKey) =>
      call('POST /api/admin/campaigns/test', { body: words, idempotencyKey }),
    () => toast({ mark: 'sending', title: m.push_test_sent() }),
  );
  const isWhole = !isShort && body !== '' && !isPast;
  const campaign: NewCampaign = {
    title,
    body,
    sendAt: isLater ? fromLocal(draft.sendAt) : null,
    audience: AUDIENCES[draft.who],
  };
  const count = reach ? reach.push + reach.telegram : null;
  return (
    <div className="announce-columns">
      <Card>
        <form
          className="form-stack"
          aria-label={m.desk_announce_new()}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            showWrong(event.currentTarget, () => setTried(true));
            if (isWhole && offline === null) setAsking(true);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
          }}
        >
          <Field
            label={m.leader_task_title()}
            hint={m.desk_announce_letters({ n: number(draft.title.length), max: number(ANNOUNCEMENT_TITLE_MAX) })}
            maxLength={ANNOUNCEMENT_TITLE_MAX}
            value={draft.title}
            error={tried && isShort ? m.leader_title_short({ n: number(TITLE_MIN) }) : null}
            onValue={(text) => change({ title: text })}
          />
          <TextArea
            label={m.leader_announce_body()}
            hint={m.desk_announce_letters({ n: number(draft.body.length), max: number(CAMPAIGN_BODY_MAX) })}
            maxLength={CAMPAIGN_BODY_MAX}
            rows={3}
            value={draft.body}
            error={tried && body === '' ? m.leader_announce_empty() : null}
            onValue={(text) => change({ body: text })}
          />
          <Radios
            legend={m.desk_announce_who()}
            options={WHO.map((value) => ({ value, title: WHO_WORDS[value].title(), line: WHO_WORDS[value].line() }))}
            value={draft.who}
            onValue={(who) => change({ who })}
          />
          <Radios
            legend={m.desk_announce_when()}
            options={[
              { value: 'now', title: m.desk_announce_now(), line: m.desk_announce_now_line() },
              { value: 'later', title: m.desk_announce_later(), line: m.desk_announce_later_line() },
            ]}
            value={draft.when}
            onValue={(when) => change({ when })}
          />
          {isLater && (
            <Field
              label={m.push_send_at()}
              type="datetime-local"
              value={draft.sendAt}
              error={tried && isPast ? m.push_send_at_past() : null}
              onValue={(sendAt) => change({ sendAt })}
            />
          )}
          <Refused error={test.error} />
          <div className="actions">
            <Button type="submit" icon="announce" disabledReason={offline}>
              {count === null
                ? m.desk_announce_review()
                : isLater
                  ? m.desk_announce_review_later({ n: number(count) })
                  : m.desk_announce_review_now({ n: number(count) })}
            </Button>
            <Button
              kind="edge"
              busy={test.isPending}
              disabledReason={offline}
              onClick={() => {
                setTried(true);
                if (!isShort && body !== '') test.mutate({ title, body });
              }}
            >
              {m.push_test_me()}
            </Button>
          </div>
        </form>
      </Card>
      <aside className="stack" aria-label={m.desk_announce_preview()}>
        {reach && <Reach reach={reach} />}
        <LockScreen title={title} at={isLater && draft.sendAt ? Date.parse(draft.sendAt) : Date.now()} />
      </aside>
      <Dialog
        title={
          isLater
            ? m.desk_announce_ask_later({ n: number(count ?? 0), time: stampTime(campaign.sendAt ?? Date.now()) })
            : m.desk_announce_ask_now({ n: number(count ?? 0) })
        }
        open={isAsking}
        onClose={() => setAsking(false)}
      >
        <p>{reach && m.desk_announce_ask_line({ push: number(reach.push), telegram: number(reach.telegram) })}</p>
        <p className="text-small text-muted dialog__line">
          {isLater ? m.desk_announce_ask_back_later() : m.desk_announce_ask_back()}
        </p>
        <Refused error={send.error} />
        <div className="actions">
          <CommandButton command={send} body={campaign}>
            {isLater
              ? m.desk_announce_do_later({ n: number(count ?? 0) })
              : m.desk_announce_do({ n: number(count ?? 0) })}
          </CommandButton>
          <Button kind="edge" data-focus="" onClick={() => setAsking(false)}>
            {m.desk_announce_keep()}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}

/** One of a few, each with a line that says what it means. */
function Radios<T extends string>(props: {
  legend: string;
  options: readonly { value: T; title: string; line: string }[];
  value: T;
  onValue: (value: T) => void;
}) {
  const name = useId();
  return (
    <fieldset className="choices announce-choices">
      <legend>{props.legend}</legend>
      {props.options.map(({ value, title, line }) => (
        <label key={value}>
          <input type="radio" name={name} checked={value === props.value} onChange={() => props.onValue(value)} />
          <span>
            <b>{title}</b>
            <span className="text-small text-muted announce-choice__line">{line}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** In pencil until it is sent: who sleeps, or had enough that day, only tells then. */
function Reach({ reach }: { reach: InstanceReach }) {
  const { everybody, push, telegram, optedOut } = reach;
  const reached = push + telegram;
  const rest = everybody - reached - optedOut;
  const rows = [
    [m.desk_reach_push(), push],
    [m.desk_reach_telegram(), telegram],
    [m.desk_reach_opted_out(), optedOut],
    [m.desk_reach_nowhere(), rest],
  ] as const;
  return (
    <Card>
      <h2 className="announce-head">{m.desk_reach({ n: number(reached), all: number(everybody) })}</h2>
      <Hatch
        done={0}
        pencil={everybody === 0 ? 0 : reached / everybody}
        label={m.desk_reach({ n: number(reached), all: number(everybody) })}
      />
      <p className="text-tiny text-muted">{m.desk_reach_pencil()}</p>
      <dl className="announce-reach text-small">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt className="text-muted">{label}</dt>
            <dd className="numeric">{number(value)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** As a phone shows it: what it says is fetched under the session, and may show on a locked screen. */
function LockScreen({ title, at }: { title: string; at: number }) {
  return (
    <figure className="announce-lock">
      <figcaption className="visually-hidden">{m.push_preview()}</figcaption>
      <p className="announce-lock__time">{Number.isNaN(at) ? '' : timeOfDay(at)}</p>
      <div className="announce-lock__notice">
        <Logo size={32} />
        <div>
          <p className="text-small">{product.name}</p>
          <b>{title || m.push_preview_title()}</b>
          <p className="text-tiny">{m.desk_announce_opens({ product: product.name })}</p>
        </div>
      </div>
    </figure>
  );
}
