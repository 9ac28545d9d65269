import './composer.css';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Reach } from '../../../server/contract/campaigns.ts';
import { number, stampTime, timeOfDay } from '../../lib/format.ts';
import { product } from '../../lib/product.ts';
import { userQuery } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Card, Chip } from '../../ui/card.tsx';
import { Hatch, Logo } from '../../ui/icon.tsx';
import type { Sent } from './written.ts';

export function Figured({ rows }: { rows: readonly (readonly [ReactNode, number])[] }) {
  return (
    <dl className="message-form__reach text-small">
      {rows.map(([label, value]) => (
        <div key={String(label)}>
          <dt className="text-muted">{label}</dt>
          <dd className="numeric">{number(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** In pencil until it is sent: only then is it known who sleeps. */
export function ReachCard({ reach }: { reach: Reach }) {
  const { everybody, push, browsers, telegram, optedOut, capped, workedOutFrom } = reach;
  const reached = push + telegram;
  const words = m.desk_reach({ n: number(reached), all: number(everybody) });
  return (
    <Card>
      <h2 className="message-form__head">{words}</h2>
      <Hatch done={0} pencil={everybody === 0 ? 0 : reached / everybody} label={words} />
      <p className="text-tiny text-muted">
        {m.desk_reach_pencil()}
        {workedOutFrom !== null && ` ${m.compose_reach_worked_out({ n: number(workedOutFrom) })}`}
      </p>
      <Figured
        rows={[
          [m.compose_reach_push({ count: browsers, n: number(browsers) }), push],
          [m.desk_reach_telegram(), telegram],
          [m.desk_reach_opted_out(), optedOut],
          [m.compose_reach_capped(), capped],
          [m.desk_reach_nowhere(), everybody - reached - optedOut - capped],
        ]}
      />
    </Card>
  );
}

/** A phone's lock screen. The text is fetched under the session, but may be visible while locked. */
export function LockScreen({ name, title, at }: { name: string; title: string; at: number }) {
  return (
    <figure className="message-form__lock">
      <figcaption className="visually-hidden">{m.push_preview()}</figcaption>
      <p className="message-form__lock-time">{Number.isNaN(at) ? '' : timeOfDay(at)}</p>
      <div className="message-form__notice">
        <Logo size={32} />
        <div>
          <p className="text-small">{name}</p>
          <b>{title || m.push_preview_title()}</b>
          <p className="text-tiny">{m.desk_announce_opens({ product: product.name })}</p>
        </div>
      </div>
    </figure>
  );
}

/** As every member's Today shows it. */
export function OnToday({ sent: { title, body, pinnedUntil } }: { sent: Sent }) {
  const me = useQueryClient().getQueryData<{ displayName: string } | null>(userQuery.queryKey);
  return (
    <figure className="message-form__figure">
      <figcaption className="visually-hidden">{m.compose_on_today({ today: m.shell_today() })}</figcaption>
      <Card>
        {pinnedUntil !== null && (
          <Chip kind="cross" icon="pin">
            {m.leader_pinned({ time: stampTime(pinnedUntil) })}
          </Chip>
        )}
        <p>
          <b>{title || m.push_preview_title()}</b>
        </p>
        <p className="text-small written-text">{body || m.push_preview_body()}</p>
        {me && <p className="text-tiny text-muted">{me.displayName}</p>}
      </Card>
    </figure>
  );
}
