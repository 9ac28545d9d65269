import './chats.css';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type {
  ChatGate,
  ChatSort,
  ConnectedChat,
  MissingRight,
  WaitingLink,
} from '../../../../server/contract/chats.ts';
import { number, timeOfDay } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { CommandButton, Confirm, Refused } from '../../../shared/commands/command-parts.tsx';
import { useCommand, useNeedsConnection } from '../../../shared/commands/use-command.ts';
import { sortWord, whenWord } from '../../../shared/tasks/words.ts';
import { Button, OutButton } from '../../../ui/button.tsx';
import { Card, Chip, SectionHead } from '../../../ui/card.tsx';
import { Select } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Empty, Reading } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';

/** Polling interval while the bot is being added and the browser has no stream, ms. */
const WAITING_EVERY_MS = 3_000;

/** The community's group and channel: connected by a link, green once the bot has its rights. */
export function Chats({ communityId }: { communityId: string }) {
  const query = useQuery({
    ...read('GET /api/communities/:communityId/chats', { communityId }),
    refetchInterval: ({ state }) => ((state.data?.waiting.length ?? 0) > 0 ? WAITING_EVERY_MS : false),
  });
  return (
    <section>
      <SectionHead title={m.chats_title()} />
      <Reading query={query}>
        {({ bot, chats, waiting }) =>
          bot === null && chats.length === 0 ? (
            <Empty title={m.chats_none()} line={m.chats_no_bot()} />
          ) : (
            <div className="stack">
              {chats.map((chat) => (
                <Connected key={chat.id} communityId={communityId} chat={chat} />
              ))}
              {bot !== null && (
                <Connect
                  communityId={communityId}
                  waiting={waiting}
                  connected={new Set(chats.map(({ sort }) => sort))}
                />
              )}
            </div>
          )
        }
      </Reading>
    </section>
  );
}

function Connect(props: { communityId: string; waiting: readonly WaitingLink[]; connected: ReadonlySet<ChatSort> }) {
  const { communityId, waiting, connected } = props;
  const [made, setMade] = useState<{ sort: ChatSort; url: string } | null>(null);
  const link = useCommand(
    (sort: ChatSort, idempotencyKey) =>
      call('POST /api/communities/:communityId/chats/links', {
        params: { communityId },
        body: { sort },
        idempotencyKey,
      }),
    ({ url }, sort) => setMade({ sort, url }),
  );
  const waits = (sort: ChatSort) => waiting.find((one) => one.sort === sort);
  return (
    <Card>
      {connected.size === 0 && (
        <>
          <h3>{m.chats_none()}</h3>
          <p className="text-small text-muted">{m.chats_none_line()}</p>
        </>
      )}
      {connected.size > 0 && <p className="text-small text-muted">{m.chats_replace_hint()}</p>}
      {(['group', 'channel'] as const).map((sort) => {
        const open = waits(sort);
        if (!open) return null;
        return <Waiting key={sort} link={open} url={made?.sort === sort ? made.url : null} />;
      })}
      <Refused error={link.error} />
      <div className="actions">
        <CommandButton kind={connected.size === 0 ? 'ink' : 'edge'} icon="link" command={link} body="group">
          {m.chats_connect_group()}
        </CommandButton>
        <CommandButton kind="edge" icon="announce" command={link} body="channel">
          {m.chats_connect_channel()}
        </CommandButton>
      </div>
    </Card>
  );
}

const PROBLEMS = {
  taken: m.chats_problem_taken,
  wrong_sort: m.chats_problem_wrong_sort,
  not_yours: m.chats_problem_not_yours,
} as const;

/** A pending link: where to use it, and its state. */
function Waiting({ link, url }: { link: WaitingLink; url: string | null }) {
  const { sort, endsAt, problem } = link;
  const time = timeOfDay(endsAt);
  return (
    <div className="chats__waiting">
      {url === null ? (
        <p className="text-small">{m.chats_link_lost({ sort: sortWord(sort).toLowerCase(), time })}</p>
      ) : (
        <>
          <p className="text-small">{sort === 'group' ? m.chats_link_group() : m.chats_link_channel()}</p>
          <div className="actions">
            <OutButton icon="send" href={url} rel="noreferrer">
              {m.chats_link_open()}
            </OutButton>
          </div>
        </>
      )}
      <p className="text-small text-muted" role="status">
        {problem ? PROBLEMS[problem]() : url !== null && m.chats_link_waiting({ time })}
      </p>
    </div>
  );
}

const MISSING_WORDS: Record<MissingRight, () => string> = {
  present: m.chats_missing_present,
  admin: m.chats_missing_admin,
  invite_users: m.chats_missing_invite,
};

function Connected({ communityId, chat }: { communityId: string; chat: ConnectedChat }) {
  const params = { communityId, connectionId: chat.id };
  const [asking, setAsking] = useState(false);
  const close = useCallback(() => setAsking(false), []);
  const offline = useNeedsConnection();
  const gate = useCommand((wanted: ChatGate, idempotencyKey) =>
    call('PATCH /api/communities/:communityId/chats/:connectionId', {
      params,
      body: { gate: wanted },
      idempotencyKey,
    }),
  );
  const check = useCommand(
    (_: null) => call('POST /api/communities/:communityId/chats/:connectionId/check', { params }),
    ({ asked }) => {
      if (!asked) toast({ icon: 'warning', title: m.chats_check_away() });
    },
  );
  const drop = useCommand(
    (_: null, idempotencyKey) =>
      call('DELETE /api/communities/:communityId/chats/:connectionId', { params, idempotencyKey }),
    close,
  );
  const isReady = chat.missing.length === 0;
  const { inside, outside, unknown } = chat.people;
  return (
    <Card className={isReady ? 'chats__card chats__ready' : 'chats__card'}>
      <div className="flex-row flex-wrap">
        <h3 className="flex-grow break-anywhere">{chat.title}</h3>
        <Chip>{sortWord(chat.sort)}</Chip>
        <Chip kind={isReady ? 'ink' : 'pencil'} icon={isReady ? 'check' : 'warning'}>
          {isReady ? m.chats_ready() : m.chats_unverifiable()}
        </Chip>
      </div>
      <div role="status">
        {isReady && <p className="text-small">{m.chats_ready_line()}</p>}
        {chat.missing.map((right) => (
          <p key={right} className="quote quote--notice flex-row">
            <Icon name="warning" />
            <span>{MISSING_WORDS[right]()}</span>
          </p>
        ))}
        {chat.unverifiableAt && (
          <p className="text-small">{m.chats_unverifiable_line({ time: whenWord(chat.unverifiableAt) })}</p>
        )}
      </div>
      <p className="text-small text-muted">
        {m.chats_people({ inside: number(inside), outside: number(outside), unknown: number(unknown) })}
      </p>
      <Select
        label={m.chats_gate()}
        hint={offline ?? m.chats_gate_hint()}
        options={[
          { value: 'off', label: m.chats_gate_off() },
          { value: 'claim', label: m.chats_gate_claim() },
          { value: 'enter', label: m.chats_gate_enter() },
        ]}
        disabled={offline !== null || gate.isPending}
        value={gate.isPending ? gate.variables : chat.gate}
        onValue={(wanted) => gate.mutate(wanted)}
      />
      <Refused error={gate.error ?? check.error} />
      <div className="actions">
        <CommandButton kind="edge" icon="retry" command={check} body={null}>
          {m.chats_check()}
        </CommandButton>
        <Button kind="words" icon="discard" onClick={() => setAsking(true)}>
          {m.chats_disconnect()}
        </Button>
      </div>
      <p className="text-tiny text-muted">{m.chats_checked({ time: whenWord(chat.checkedAt) })}</p>
      <Confirm
        title={m.chats_disconnect_title()}
        line={m.chats_disconnect_line()}
        action={m.chats_disconnect()}
        cancel={m.leader_keep()}
        open={asking}
        onClose={close}
        command={drop}
        body={null}
      />
    </Card>
  );
}
