import '../../ui/choices.css';
import './composer.css';
import { useEffect, useId, useRef, useState } from 'react';
import type { Reach } from '../../../server/contract/campaigns.ts';
import { ANNOUNCEMENT_TITLE_MAX, CONFIRM_ABOVE } from '../../../server/contract/limits.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import { fromLocal } from '../../lib/dates.ts';
import { useDraft } from '../../lib/drafts.ts';
import { number, stampTime } from '../../lib/format.ts';
import { useOnline } from '../../lib/online.ts';
import { m } from '../../paraglide/messages.js';
import { Refused } from '../../shared/commands/command-parts.tsx';
import { roleWord } from '../../shared/tasks/words.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Select, showWrong, TextArea } from '../../ui/field.tsx';
import { Dialog } from '../../ui/sheet.tsx';
import { LockScreen, OnToday, ReachCard } from './preview.tsx';
import { audienceOf, BLANK, NOW, ROLES, type Sent, sentOf, type When, type Who, type Written } from './written.ts';

const TITLE_MIN = 3;

export type Place = {
  /** Under which name what is begun is kept; null where something that is there is changed. */
  draftName: string | null;
  beginning?: Written;
  /** As the lock screen names it. */
  name: string;
  bodyMax: number;
  /** Whether it also stands on Today: then it can be pinned there, and nobody need be notified. */
  onToday: boolean;
  who: readonly Who[];
  /** How many that would be. Undefined where it is not known (yet). */
  useReach: (audience: ReturnType<typeof audienceOf>, when: When) => Reach | undefined;
  /** Asked once more, however few they are. */
  alwaysAsks: boolean;
  /** From where they come, behind how they are told. */
  asked: string;
  /** What holds sending back. */
  held: string | null;
  error: Error | null;
  onTest: (words: { title: string; body: string }) => Promise<unknown>;
  /** Answers whether it is on its way; what was written stays where it is not. */
  onSend: (sent: Sent) => Promise<boolean>;
  onKeepAsItWas?: () => void;
};

/** One form: what is said, whether it is pinned, who is notified and when; beside it how many that reaches and how it looks. */
export function Composer({ place }: { place: Place }) {
  const { draft, change, drop } = useDraft(place.draftName, place.beginning ?? BLANK);
  const [tried, setTried] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [busy, setBusy] = useState<'send' | 'test' | null>(null);
  const online = useOnline();
  const form = useRef<HTMLFormElement>(null);
  const isChange = place.draftName === null;
  useEffect(() => {
    if (isChange) form.current?.querySelector('input')?.focus();
  }, [isChange]);
  const sent = sentOf(draft, place.who);
  const { title, body, notify } = sent;
  const isLater = draft.notify && draft.when !== 'now';
  const isAhead = (local: string) => Date.parse(local) > Date.now();
  const wrong = {
    title: seenLength(title) < TITLE_MIN,
    body: body === '',
    pin: draft.pin && !isAhead(draft.pinnedUntil),
    sendAt: isLater && !isAhead(draft.sendAt),
  };
  const reach = place.useReach(audienceOf(draft, place.who), isLater && !wrong.sendAt && notify ? notify : NOW);
  const count = reach ? reach.push + reach.telegram : null;
  /** Whether the press asks first. */
  const asks = notify !== null && (place.alwaysAsks || count === null || count > CONFIRM_ABOVE);
  const isWhole = !Object.values(wrong).includes(true);

  async function send(): Promise<void> {
    if (busy) return;
    setBusy('send');
    const isSent = await place.onSend(sent);
    setBusy(null);
    if (!isSent) return;
    setAsking(false);
    setTried(false);
    drop();
  }
  async function test(): Promise<void> {
    setTried(true);
    if (wrong.title || wrong.body || busy) return;
    setBusy('test');
    await place.onTest({ title, body });
    setBusy(null);
  }
  return (
    <div className="message-form">
      <Card>
        <form
          ref={form}
          className="form-stack"
          aria-label={isChange ? m.compose_change({ title: place.beginning?.title ?? '' }) : m.desk_announce_new()}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            showWrong(event.currentTarget, () => setTried(true));
            if (!isWhole || place.held !== null) return;
            if (asks) setAsking(true);
            else void send();
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
            error={tried && wrong.title ? m.leader_title_short({ n: number(TITLE_MIN) }) : null}
            onValue={(text) => change({ title: text })}
          />
          <TextArea
            label={m.leader_announce_body()}
            hint={m.desk_announce_letters({ n: number(draft.body.length), max: number(place.bodyMax) })}
            maxLength={place.bodyMax}
            rows={4}
            value={draft.body}
            error={tried && wrong.body ? m.leader_announce_empty() : null}
            onValue={(text) => change({ body: text })}
          />
          {place.onToday && (
            <div className="message-form__part">
              <Toggle
                title={m.compose_pin()}
                line={m.compose_pin_line()}
                checked={draft.pin}
                onValue={(pin) => change({ pin })}
              />
              {draft.pin && (
                <Field
                  label={m.leader_pin_until()}
                  type="datetime-local"
                  value={draft.pinnedUntil}
                  error={tried && wrong.pin ? m.push_send_at_past() : null}
                  onValue={(pinnedUntil) => change({ pinnedUntil })}
                />
              )}
            </div>
          )}
          <div className="message-form__part">
            {place.onToday && (
              <Toggle
                title={m.compose_notify()}
                line={m.compose_notify_line()}
                checked={draft.notify}
                onValue={(isNotified) => change({ notify: isNotified })}
              />
            )}
            {draft.notify && (
              <>
                <Radios
                  legend={m.desk_announce_who()}
                  options={place.who}
                  value={draft.who}
                  onValue={(who) => change({ who })}
                />
                {place.who.find(({ value }) => value === draft.who)?.audience === null && (
                  <Filters draft={draft} change={change} />
                )}
                <Radios
                  legend={m.desk_announce_when()}
                  options={[
                    { value: 'now', title: m.desk_announce_now(), line: m.desk_announce_now_line() },
                    { value: 'later', title: m.desk_announce_later(), line: m.desk_announce_later_line() },
                    { value: 'own', title: m.compose_own(), line: m.compose_own_line() },
                  ]}
                  value={draft.when}
                  onValue={(when) => change({ when })}
                />
                {isLater && (
                  <Field
                    label={m.push_send_at()}
                    type="datetime-local"
                    value={draft.sendAt}
                    hint={draft.when === 'own' ? m.compose_own_hint() : undefined}
                    error={tried && wrong.sendAt ? m.push_send_at_past() : null}
                    onValue={(sendAt) => change({ sendAt })}
                  />
                )}
              </>
            )}
          </div>
          {!isAsking && <Refused error={place.error} />}
          <div className="actions">
            <Button type="submit" icon="announce" busy={busy === 'send' && !isAsking} disabledReason={place.held}>
              {doWord(draft, count, { isChange, asks })}
            </Button>
            {draft.notify && (
              <Button
                kind="edge"
                busy={busy === 'test'}
                disabledReason={online ? null : m.leader_needs_connection()}
                onClick={() => void test()}
              >
                {m.push_test_me()}
              </Button>
            )}
            {place.onKeepAsItWas && (
              <Button kind="words" onClick={place.onKeepAsItWas}>
                {m.compose_keep()}
              </Button>
            )}
          </div>
        </form>
      </Card>
      <aside className="stack" aria-label={m.desk_announce_preview()}>
        {draft.notify && (
          <>
            {reach && <ReachCard reach={reach} />}
            <LockScreen
              name={place.name}
              title={title}
              at={isLater && draft.sendAt ? Date.parse(draft.sendAt) : Date.now()}
            />
          </>
        )}
        {place.onToday && <OnToday sent={sent} />}
      </aside>
      <Dialog title={askWord(draft, count)} open={isAsking} onClose={() => setAsking(false)}>
        <p>
          {reach
            ? `${m.compose_ask_line({ push: number(reach.push), telegram: number(reach.telegram) })} ${place.asked}`.trim()
            : m.compose_ask_unknown()}
        </p>
        <p className="text-small text-muted dialog__line">{BACK_WORDS[draft.when]()}</p>
        <Refused error={place.error} />
        <div className="actions">
          <Button busy={busy === 'send'} disabledReason={place.held} onClick={() => void send()}>
            {count === null
              ? m.compose_do()
              : isLater
                ? m.desk_announce_do_later({ n: number(count) })
                : m.desk_announce_do({ n: number(count) })}
          </Button>
          <Button kind="edge" data-focus="" onClick={() => setAsking(false)}>
            {m.desk_announce_keep()}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}

const BACK_WORDS = {
  now: m.desk_announce_ask_back,
  later: m.desk_announce_ask_back_later,
  own: m.compose_own_back,
} as const;

/** What the press does: it sends, or asks first. */
function doWord(
  { notify, when }: Written,
  count: number | null,
  { isChange, asks }: { isChange: boolean; asks: boolean },
): string {
  if (!notify) return isChange ? m.compose_save() : m.compose_only_today();
  if (count === null) return m.desk_announce_review();
  const n = number(count);
  if (when === 'now') return asks ? m.desk_announce_review_now({ n }) : m.compose_send({ n });
  return asks ? m.desk_announce_review_later({ n }) : m.compose_schedule({ n });
}

function askWord({ when, sendAt }: Written, count: number | null): string {
  if (count === null) return m.compose_ask();
  const n = number(count);
  const at = when === 'now' ? null : fromLocal(sendAt);
  if (at === null) return m.desk_announce_ask_now({ n });
  const time = stampTime(at);
  return when === 'own' ? m.compose_own_ask({ n, time }) : m.desk_announce_ask_later({ n, time });
}

function Filters({ draft, change }: { draft: Written; change: (part: Partial<Written>) => void }) {
  return (
    <div className="message-form__filters">
      <Select
        label={m.push_audience()}
        options={[
          { value: 'all', label: m.push_audience_all() },
          ...ROLES.map((one) => ({ value: one as string, label: roleWord(one) })),
        ]}
        value={draft.role}
        onValue={(role) => change({ role })}
      />
      <Field
        label={m.push_min_points()}
        inputMode="numeric"
        value={draft.minPoints}
        onValue={(text) => change({ minPoints: text.replace(/\D/g, '') })}
      />
      <Field
        label={m.push_active_days()}
        inputMode="numeric"
        value={draft.activeDays}
        onValue={(text) => change({ activeDays: text.replace(/\D/g, '') })}
      />
    </div>
  );
}

function Toggle(props: { title: string; line: string; checked: boolean; onValue: (on: boolean) => void }) {
  return (
    <div className="choices">
      <label>
        <input
          type="checkbox"
          checked={props.checked}
          onChange={(event) => props.onValue(event.currentTarget.checked)}
        />
        <Named title={props.title} line={props.line} />
      </label>
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
    <fieldset className="choices message-form__choices">
      <legend>{props.legend}</legend>
      {props.options.map(({ value, title, line }) => (
        <label key={value}>
          <input type="radio" name={name} checked={value === props.value} onChange={() => props.onValue(value)} />
          <Named title={title} line={line} />
        </label>
      ))}
    </fieldset>
  );
}
const Named = ({ title, line }: { title: string; line: string }) => (
  <span>
    <b>{title}</b>
    <span className="text-small text-muted message-form__line">{line}</span>
  </span>
);
