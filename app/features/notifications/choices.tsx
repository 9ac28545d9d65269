import './choices.css';
import { useState } from 'react';
import { NOTIFICATION_CAP_MAX } from '../../../server/contract/limits.ts';
import type {
  Channel,
  ChosenTopic,
  NotificationChoice,
  NotificationRoom,
  NotificationSettings,
} from '../../../server/contract/push.ts';
import { discardEntry, useOutbox } from '../../lib/device.ts';
import { serverWords } from '../../lib/server-words.ts';
import { m } from '../../paraglide/messages.js';
import { enqueueCommand } from '../../shared/commands/member-commands.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Chip, Quote } from '../../ui/card.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Segment } from '../../ui/segment.tsx';
import { toast } from '../../ui/toast.tsx';

const SUBJECT = 'notifications:own';
const EVERYWHERE = 'everywhere';

/** Their types tie them to the contract: its values would bundle the schemas. */
const TOPICS = {
  announcement: m.push_topic_announcement,
  review: m.push_topic_review,
  task: m.push_topic_task,
  streak: m.push_topic_streak,
  season: m.push_topic_season,
  queue: m.push_topic_queue,
  security: m.push_topic_security,
} as const satisfies Record<ChosenTopic, () => string>;
/** Topics about the person, not a community. */
const OF_PERSON: ReadonlySet<ChosenTopic> = new Set(['streak', 'security']);

const CHANNELS = {
  push: m.push_channel_push,
  telegram: m.push_channel_telegram,
  both: m.push_channel_both,
  none: m.push_channel_none,
} as const satisfies Record<Channel, () => string>;

/** The choices with one changed; `same` removes a community's own choice. */
export function choose(
  choices: readonly NotificationChoice[],
  { communityId, topic }: Pick<NotificationChoice, 'communityId' | 'topic'>,
  channel: Channel | 'same',
): NotificationChoice[] {
  const others = choices.filter((one) => one.communityId !== communityId || one.topic !== topic);
  return channel === 'same' ? others : [...others, { communityId, topic, channel }];
}

/** Which topics a member is notified about, where and when. Stored on the device first, as every command. */
export function Choices({ room }: { room: NotificationRoom }) {
  const entry = useOutbox().find(({ subject }) => subject === SUBJECT);
  const [changed, setChanged] = useState<Partial<NotificationSettings>>({});
  const [scope, setScope] = useState(EVERYWHERE);
  const [isBusy, setBusy] = useState(false);
  const waiting = entry?.body as NotificationSettings | undefined;
  const { quiet, dailyCap, collapse, choices } = { ...room, ...waiting, ...changed };
  const communityId = scope === EVERYWHERE ? null : scope;
  const reviews = room.communities.some((one) => one.reviews && (communityId === null || one.id === communityId));
  const topics = (Object.keys(TOPICS) as ChosenTopic[]).filter(
    (topic) => (topic !== 'queue' || reviews) && (communityId === null || !OF_PERSON.has(topic)),
  );
  const isBadQuiet = quiet !== null && quiet.from === quiet.to;
  const isBadCap = !(Number.isInteger(dailyCap) && dailyCap >= 1 && dailyCap <= NOTIFICATION_CAP_MAX);

  async function save(): Promise<void> {
    const body: NotificationSettings = { quiet, dailyCap, collapse, choices: [...choices] };
    const path = '/api/user/notifications';
    const command = {
      communityId: null,
      method: 'PUT',
      path,
      body,
      label: m.push_label_settings(),
      subject: SUBJECT,
    } as const;
    setBusy(true);
    const queued = await enqueueCommand(command, false);
    setBusy(false);
    if (queued === null) return;
    // A waiting command is replaced rather than followed by another.
    if (entry) await discardEntry(entry.id);
    setChanged({});
    if (navigator.onLine) toast({ mark: 'received', title: m.push_saved() });
  }
  return (
    <Card className="stack-medium">
      <form
        className="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBadQuiet && !isBadCap && !isBusy) void save();
        }}
      >
        {room.communities.length > 0 && (
          <Select
            label={m.push_choices_for()}
            options={[
              { value: EVERYWHERE, label: m.push_all_communities() },
              ...room.communities.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={scope}
            onValue={setScope}
          />
        )}
        {topics.map((topic) => (
          <ChannelChoice
            key={topic}
            topic={topic}
            communityId={communityId}
            own={choices.find((one) => one.communityId === communityId && one.topic === topic)?.channel}
            hasBot={room.telegram.bot !== null}
            onChannel={(channel) =>
              setChanged({ ...changed, choices: choose(choices, { communityId, topic }, channel) })
            }
          />
        ))}
        <QuietHours
          quiet={quiet}
          isBad={isBadQuiet}
          zone={room.timeZone}
          onQuiet={(hours) => setChanged({ ...changed, quiet: hours })}
        />
        <Field
          label={m.push_cap()}
          hint={m.push_cap_hint()}
          type="number"
          inputMode="numeric"
          min={1}
          max={NOTIFICATION_CAP_MAX}
          required
          value={Number.isNaN(dailyCap) ? '' : String(dailyCap)}
          onValue={(value) => setChanged({ ...changed, dailyCap: value === '' ? Number.NaN : Number(value) })}
        />
        <div className="stack">
          <b>{m.push_collapse_head()}</b>
          <Segment
            label={m.push_collapse_head()}
            options={[
              { value: 'newest', label: m.push_collapse() },
              { value: 'each', label: m.push_collapse_each() },
            ]}
            value={collapse ? 'newest' : 'each'}
            onChange={(value) => setChanged({ ...changed, collapse: value === 'newest' })}
          />
          <p className="text-tiny text-muted">{m.push_collapse_hint()}</p>
        </div>
        {entry?.state === 'refused' && (
          <Quote lead={m.member_not_sent()}>{entry.error && serverWords(entry.error)}</Quote>
        )}
        {entry && entry.state !== 'refused' && <Chip kind="pencil">{entry.label}</Chip>}
        {Object.keys(changed).length > 0 && (
          <Button type="submit" busy={isBusy}>
            {m.push_save()}
          </Button>
        )}
      </form>
      <Telegram telegram={room.telegram} />
    </Card>
  );
}

/** Channels of a topic: a community's own choice, else the general one. */
function ChannelChoice(props: {
  topic: ChosenTopic;
  communityId: string | null;
  own: Channel | undefined;
  hasBot: boolean;
  onChannel: (channel: Channel | 'same') => void;
}) {
  const { topic, communityId, own } = props;
  const options = (Object.keys(CHANNELS) as Channel[])
    .filter((channel) => props.hasBot || channel === 'push' || channel === 'none' || channel === own)
    .map((channel) => ({ value: channel as Channel | 'same', label: CHANNELS[channel]() }));
  const same = { value: 'same' as const, label: m.push_channel_same() };
  return (
    <Select
      label={TOPICS[topic]()}
      options={communityId === null ? options : [same, ...options]}
      value={own ?? (communityId === null ? 'push' : 'same')}
      onValue={props.onChannel}
    />
  );
}

function QuietHours(props: {
  quiet: NotificationSettings['quiet'];
  isBad: boolean;
  zone: string;
  onQuiet: (quiet: NotificationSettings['quiet']) => void;
}) {
  const { quiet, onQuiet } = props;
  return (
    <div className="stack">
      <b>{m.push_quiet()}</b>
      <Segment
        label={m.push_quiet()}
        options={[
          { value: 'none', label: m.push_quiet_off() },
          { value: 'some', label: m.push_quiet_on() },
        ]}
        value={quiet === null ? 'none' : 'some'}
        onChange={(value) => onQuiet(value === 'none' ? null : (quiet ?? { from: '22:00', to: '07:00' }))}
      />
      {quiet && (
        <div className="quiet-hours">
          <Field
            label={m.push_quiet_from()}
            type="time"
            required
            value={quiet.from}
            onValue={(from) => onQuiet({ ...quiet, from })}
          />
          <Field
            label={m.push_quiet_to()}
            type="time"
            required
            value={quiet.to}
            error={props.isBad ? m.push_quiet_same() : null}
            onValue={(to) => onQuiet({ ...quiet, to })}
          />
        </div>
      )}
      <p className="text-tiny text-muted">{m.push_quiet_hint({ zone: props.zone.replaceAll('_', ' ') })}</p>
    </div>
  );
}

function Telegram({ telegram: { bot, refused } }: Pick<NotificationRoom, 'telegram'>) {
  if (bot === null) return <p className="text-small text-muted">{m.push_telegram_none()}</p>;
  return (
    <p className="text-small">
      {refused ? m.push_telegram_refused({ bot }) : m.push_telegram_start({ bot })}{' '}
      <a href={`https://t.me/${bot}?start=notifications`} rel="noreferrer">
        @{bot}
      </a>
    </p>
  );
}
