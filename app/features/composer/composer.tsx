import '../../ui/choices.css';
import './composer.css';
import { useEffect, useId, useRef } from 'react';
import { ANNOUNCEMENT_TITLE_MAX } from '../../../server/contract/limits.ts';
import { fromLocal } from '../../lib/dates.ts';
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
import { type ComposerTarget, TITLE_MIN, useWriting, type Writing } from './use-writing.ts';
import { ROLES, type Written } from './written.ts';

/** The form: text, pin, audience and time; beside it the number of recipients and a preview. */
export function Composer({ target }: { target: ComposerTarget }) {
  const writing = useWriting(target);
  const { draft, change, sent, wrong, tried, reach } = writing;
  const form = useRef<HTMLFormElement>(null);
  const isChange = target.draftName === null;
  useEffect(() => {
    if (isChange) form.current?.querySelector('input')?.focus();
  }, [isChange]);
  return (
    <div className="message-form">
      <Card>
        <form
          ref={form}
          className="form-stack"
          aria-label={isChange ? m.compose_change({ title: target.beginning?.title ?? '' }) : m.desk_announce_new()}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            showWrong(event.currentTarget, () => writing.setTried(true));
            if (Object.values(wrong).includes(true) || target.held !== null) return;
            if (writing.asks) writing.setAsking(true);
            else void writing.send();
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
            hint={m.desk_announce_letters({ n: number(draft.body.length), max: number(target.bodyMax) })}
            maxLength={target.bodyMax}
            rows={4}
            value={draft.body}
            error={tried && wrong.body ? m.leader_announce_empty() : null}
            onValue={(text) => change({ body: text })}
          />
          {target.onToday && (
            <div className="message-form__part">
              <Toggle
                title={m.compose_pin({ today: m.shell_today() })}
                line={m.compose_pin_line({ today: m.shell_today() })}
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
            {target.onToday && (
              <Toggle
                title={m.compose_notify()}
                line={m.compose_notify_line({ today: m.shell_today() })}
                checked={draft.notify}
                onValue={(isNotified) => change({ notify: isNotified })}
              />
            )}
            {draft.notify && <WhoAndWhen writing={writing} />}
          </div>
          {!writing.isAsking && <Refused error={target.error} />}
          <Actions writing={writing} isChange={isChange} />
        </form>
      </Card>
      <aside className="stack" aria-label={m.desk_announce_preview()}>
        {draft.notify && (
          <>
            {reach && <ReachCard reach={reach} />}
            <LockScreen
              name={target.name}
              title={sent.title}
              at={writing.isLater && draft.sendAt ? Date.parse(draft.sendAt) : Date.now()}
            />
          </>
        )}
        {target.onToday && <OnToday sent={sent} />}
      </aside>
      <Sure writing={writing} />
    </div>
  );
}

function WhoAndWhen({ writing }: { writing: Writing }) {
  const { place: target, draft, change } = writing;
  return (
    <>
      <Radios
        legend={m.desk_announce_who()}
        options={target.who}
        value={draft.who}
        onValue={(who) => change({ who })}
      />
      {target.who.find(({ value }) => value === draft.who)?.audience === null && (
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
      {writing.isLater && (
        <Field
          label={m.push_send_at()}
          type="datetime-local"
          value={draft.sendAt}
          hint={draft.when === 'own' ? m.compose_own_hint() : undefined}
          error={writing.tried && writing.wrong.sendAt ? m.push_send_at_past() : null}
          onValue={(sendAt) => change({ sendAt })}
        />
      )}
    </>
  );
}

function Actions({ writing, isChange }: { writing: Writing; isChange: boolean }) {
  const { place: target, draft, count, asks, busy } = writing;
  const online = useOnline();
  return (
    <div className="actions">
      <Button type="submit" icon="announce" busy={busy === 'send' && !writing.isAsking} disabledReason={target.held}>
        {doWord(draft, count, { isChange, asks })}
      </Button>
      {draft.notify && (
        <Button
          kind="edge"
          busy={busy === 'test'}
          disabledReason={online ? null : m.leader_needs_connection()}
          onClick={() => void writing.test()}
        >
          {m.push_test_me()}
        </Button>
      )}
      {target.onKeepAsItWas && (
        <Button kind="words" onClick={target.onKeepAsItWas}>
          {m.compose_keep()}
        </Button>
      )}
    </div>
  );
}

/** Asks for confirmation, with the number of recipients. */
function Sure({ writing }: { writing: Writing }) {
  const { place: target, draft, count, reach, isAsking, setAsking } = writing;
  return (
    <Dialog title={confirmLabel(draft, count)} open={isAsking} onClose={() => setAsking(false)}>
      <p>
        {reach
          ? `${m.compose_ask_line({ push: number(reach.push), telegram: number(reach.telegram) })} ${target.audienceLead}`.trim()
          : m.compose_ask_unknown()}
      </p>
      <p className="text-small text-muted dialog__line">{BACK_WORDS[draft.when]()}</p>
      <Refused error={target.error} />
      <div className="actions">
        <Button busy={writing.busy === 'send'} disabledReason={target.held} onClick={() => void writing.send()}>
          {count === null
            ? m.compose_do()
            : writing.isLater
              ? m.desk_announce_do_later({ n: number(count) })
              : m.desk_announce_do({ n: number(count) })}
        </Button>
        <Button kind="edge" data-focus="" onClick={() => setAsking(false)}>
          {m.desk_announce_keep()}
        </Button>
      </div>
    </Dialog>
  );
}

const BACK_WORDS = {
  now: m.desk_announce_ask_back,
  later: m.desk_announce_ask_back_later,
  own: m.compose_own_back,
} as const;

/** The button's label: it sends, or opens the confirmation. */
function doWord(
  { notify, when }: Written,
  count: number | null,
  { isChange, asks }: { isChange: boolean; asks: boolean },
): string {
  if (!notify) return isChange ? m.compose_save() : m.compose_only_today({ today: m.shell_today() });
  if (count === null) return m.desk_announce_review();
  const n = number(count);
  if (when === 'now') return asks ? m.desk_announce_review_now({ n }) : m.compose_send({ n });
  return asks ? m.desk_announce_review_later({ n }) : m.compose_schedule({ n });
}

function confirmLabel({ when, sendAt }: Written, count: number | null): string {
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

/** A radio group; each option has a line of explanation. */
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
