import './webhooks.css';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { LINK_MAX, WEBHOOKS_PER_COMMUNITY } from '../../../../server/contract/limits.ts';
import type { Delivery, NewlyMadeWebhook, Webhook, WebhookEvent } from '../../../../server/contract/rooms.ts';
import { webhookEvents } from '../../../../server/contract/webhook-events.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { CommandButton, Confirm, Refused } from '../../../shared/commands/command-parts.tsx';
import { Form, useForm } from '../../../shared/commands/form.tsx';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { whenWord } from '../../../shared/tasks/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, Chip } from '../../../ui/card.tsx';
import { Field } from '../../../ui/field.tsx';
import { Mark } from '../../../ui/icon.tsx';
import { Pages } from '../../../ui/pages.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { Ticks } from '../../../ui/ticks.tsx';
import { toast } from '../../../ui/toast.tsx';
import { SecretList } from './secret-list.tsx';

/** Webhooks of this community, with the result of each delivery. */
export function Webhooks({ communityId }: { communityId: string }) {
  const query = useQuery(read('GET /api/communities/:communityId/webhooks', { communityId }));
  return (
    <SecretList
      title={m.leader_hooks()}
      query={query}
      make={m.leader_hook_add()}
      most={WEBHOOKS_PER_COMMUNITY}
      none={{ title: m.leader_no_hooks(), line: m.leader_no_hooks_line() }}
      made={{ title: m.leader_hook_secret(), line: m.leader_hook_secret_line() }}
      form={(onMade) => <HookForm communityId={communityId} onMade={({ secret }) => onMade(secret)} />}
    >
      {(hooks) => (
        <ul className="stack">
          {hooks.map((hook) => (
            <li key={hook.id} data-row>
              <Hook communityId={communityId} hook={hook} />
            </li>
          ))}
        </ul>
      )}
    </SecretList>
  );
}

function HookForm({ communityId, onMade }: { communityId: string; onMade: (hook: NewlyMadeWebhook) => void }) {
  const form = useForm({
    initial: { url: 'https://', events: ['claim.decided'] as WebhookEvent[] },
    problems: ({ url }) => ({
      url: URL.canParse(url.trim()) && url.trim().startsWith('https://') ? null : m.leader_hook_url_wrong(),
    }),
    blocked: ({ events }) => (events.length === 0 ? m.leader_choose_one() : null),
    body: ({ url, events }) => ({ url: url.trim(), events }),
    send: (body, idempotencyKey) =>
      call('POST /api/communities/:communityId/webhooks', { params: { communityId }, body, idempotencyKey }),
    done: onMade,
  });
  return (
    <Form form={form} act={m.leader_hook_add()} isWide>
      <Field
        label={m.leader_hook_url()}
        hint={m.leader_hook_url_hint()}
        type="url"
        maxLength={LINK_MAX}
        {...form.field('url')}
      />
      <Ticks
        legend={m.leader_hook_events()}
        options={webhookEvents.map((value) => ({ value, label: m.leader_hook_event({ event: value }) }))}
        {...form.field('events')}
      />
    </Form>
  );
}

function Hook({ communityId, hook }: { communityId: string; hook: Webhook }) {
  const params = { communityId, webhookId: hook.id };
  const [asking, setAsking] = useState(false);
  const [looking, setLooking] = useState(false);
  const closeAsking = useCallback(() => setAsking(false), []);
  const closeLooking = useCallback(() => setLooking(false), []);
  const change = useCommand((active: boolean, idempotencyKey) =>
    call('PATCH /api/communities/:communityId/webhooks/:webhookId', { params, body: { active }, idempotencyKey }),
  );
  const drop = useCommand(
    (_: null, idempotencyKey) =>
      call('DELETE /api/communities/:communityId/webhooks/:webhookId', { params, idempotencyKey }),
    closeAsking,
  );
  const last = hook.lastDelivery;
  const failed = last !== null && (last.error !== null || (last.status ?? 0) >= 300);
  return (
    <Card>
      <div className="flex-row flex-wrap">
        <h3 className="flex-grow break-anywhere">{hook.url}</h3>
        <Chip kind={hook.active ? 'ink' : 'pencil'}>
          {hook.active ? m.leader_hook_on() : hook.pausedAt ? m.leader_hook_paused() : m.leader_hook_off()}
        </Chip>
      </div>
      {hook.pausedAt && (
        <p className="text-small" role="status">
          {m.leader_hook_paused_line({ when: whenWord(hook.pausedAt), n: number(hook.waiting) })}
        </p>
      )}
      <p className="text-small text-muted">{hook.events.map((event) => m.leader_hook_event({ event })).join(' · ')}</p>
      <p className="text-tiny text-muted flex-row">
        {last ? (
          <>
            <Mark state={failed ? 'refused' : 'ink'} size={20} />
            {m.leader_hook_last({ time: whenWord(last.at), answer: last.error ?? String(last.status ?? '') })}
          </>
        ) : (
          m.leader_hook_never()
        )}
      </p>
      <Refused error={change.error} />
      <div className="actions">
        <Button kind="edge" onClick={() => setLooking(true)}>
          {m.leader_hook_deliveries()}
        </Button>
        <CommandButton kind="words" command={change} body={!hook.active}>
          {hook.active ? m.leader_hook_stop() : m.leader_hook_start()}
        </CommandButton>
        <Button kind="words" icon="discard" onClick={() => setAsking(true)}>
          {m.leader_reward_drop()}
        </Button>
      </div>
      <Confirm
        title={m.leader_hook_drop_title()}
        line={m.leader_hook_drop_line()}
        action={m.leader_reward_drop()}
        cancel={m.leader_keep()}
        open={asking}
        onClose={closeAsking}
        command={drop}
        body={null}
      />
      <Sheet title={m.leader_hook_deliveries()} open={looking} onClose={closeLooking}>
        <Deliveries communityId={communityId} webhookId={hook.id} />
      </Sheet>
    </Card>
  );
}

const DELIVERY_MARKS = { waiting: 'received', delivered: 'ink', failed: 'refused' } as const;
const DELIVERY_WORDS = {
  waiting: m.leader_delivery_waiting,
  delivered: m.leader_delivery_done,
  failed: m.leader_delivery_failed,
} as const;

function Deliveries({ communityId, webhookId }: { communityId: string; webhookId: string }) {
  const usePage = (after: string | undefined) =>
    useQuery(
      read('GET /api/communities/:communityId/webhooks/:webhookId/deliveries', { communityId, webhookId }, { after }),
    );
  return (
    <Pages usePage={usePage}>
      {({ items }, isFirst) =>
        items.length === 0 ? (
          isFirst && <p className="text-small text-muted">{m.leader_hook_never()}</p>
        ) : (
          <ul className="ruled-list">
            {items.map((delivery) => (
              <li key={delivery.id} className="mark-row">
                <OneDelivery communityId={communityId} webhookId={webhookId} delivery={delivery} />
              </li>
            ))}
          </ul>
        )
      }
    </Pages>
  );
}

function OneDelivery(props: { communityId: string; webhookId: string; delivery: Delivery }) {
  const { communityId, webhookId, delivery } = props;
  const replay = useCommand(
    (_: null, idempotencyKey) =>
      call('POST /api/communities/:communityId/webhooks/:webhookId/deliveries/:deliveryId/replay', {
        params: { communityId, webhookId, deliveryId: delivery.id },
        idempotencyKey,
      }),
    () => toast({ icon: 'send', title: m.leader_replayed() }),
  );
  return (
    <>
      <Mark state={DELIVERY_MARKS[delivery.state]} />
      <div>
        <h3>{m.leader_hook_event({ event: delivery.event })}</h3>
        <p className="text-tiny text-muted">
          {[
            DELIVERY_WORDS[delivery.state](),
            whenWord(delivery.lastTryAt ?? delivery.createdAt),
            m.leader_delivery_tries({ n: number(delivery.attempts) }),
            delivery.error ?? (delivery.status === null ? null : String(delivery.status)),
            delivery.nextTryAt ? m.leader_delivery_next({ time: whenWord(delivery.nextTryAt) }) : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <span />
      <div className="mark-row__body">
        <details className="disclosure">
          <summary className="text-small">{m.leader_delivery_body()}</summary>
          <pre className="payload-code">{delivery.body}</pre>
        </details>
        <Refused error={replay.error} />
        <div className="actions">
          <CommandButton kind="edge" icon="retry" command={replay} body={null}>
            {m.leader_replay()}
          </CommandButton>
        </div>
      </div>
    </>
  );
}
