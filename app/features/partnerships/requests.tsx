import './partnerships.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { referenceOf } from '../../../server/contract/partnership-reference.ts';
import type { NewPartnership, PartnershipStatus } from '../../../server/contract/partnerships.ts';
import { onDelivered, useOutbox } from '../../lib/device.ts';
import { call, statusOf } from '../../lib/http.ts';
import { read } from '../../lib/query.ts';
import { readsOf } from '../../lib/query-keys.ts';
import { serverWords } from '../../lib/server-words.ts';
import { useDeviceWord } from '../../lib/use-device-word.ts';
import { m } from '../../paraglide/messages.js';
import { whenWord } from '../../shared/tasks/words.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Quote, SectionHead } from '../../ui/card.tsx';
import { Mark, type MarkState } from '../../ui/icon.tsx';
import { Reading } from '../../ui/states.tsx';
import { discardRequest, forgetRequest, noteStatus, sendWaiting, useVisitorRequests } from './queue.ts';
import { KIND_WORDS, requestIn, STATE_MARKS, STATE_WORDS } from './words.ts';

const REFETCH_EVERY_MS = 5 * 60_000;

/** A visitor's sent and waiting requests on this device. */
export function VisitorRequests() {
  const { waiting, sent } = useVisitorRequests();
  const device = useDeviceWord();
  useStatusOf(sent.map(({ id }) => id));
  if (waiting.length + sent.length === 0) return null;
  return (
    <section className="partner-requests" aria-live="polite">
      <SectionHead title={m.partner_yours_here({ device })} />
      <ul className="stack">
        {waiting.map(({ id, body, writtenAt, refused }) => (
          <li key={id}>
            <Request
              id={id}
              mark={refused === null ? 'pencil' : 'refused'}
              title={refused === null ? m.partner_waits() : m.partner_refused()}
              line={m.partner_written({ time: whenWord(writtenAt), kind: KIND_WORDS[body.kind]() })}
            >
              {refused === null ? (
                <p className="text-small text-muted">{m.partner_waits_line({ device })}</p>
              ) : (
                <Quote lead={m.partner_refused_lead()}>{refused}</Quote>
              )}
              <Words body={body} />
              <div className="actions">
                {refused === null && (
                  <Button kind="edge" onClick={() => void sendWaiting(true)}>
                    {m.partner_send_now()}
                  </Button>
                )}
                <Button kind="words" onClick={() => discardRequest(id)}>
                  {m.partner_discard()}
                </Button>
              </div>
            </Request>
          </li>
        ))}
        {sent.map((one) => (
          <li key={one.id}>
            <Status status={one} seenAt={one.seenAt}>
              <div className="actions">
                <Button
                  kind="words"
                  aria-label={m.partner_forget_label({ reference: one.reference })}
                  onClick={() => forgetRequest(one.id)}
                >
                  {m.partner_forget({ device })}
                </Button>
              </div>
            </Status>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Reads the status of requests on screen, at first and at intervals. Deleted ones are forgotten. */
function useStatusOf(ids: readonly string[]): void {
  const idList = ids.join(' ');
  useEffect(() => {
    const refetch = () => {
      for (const requestId of idList.split(' ').filter(Boolean))
        call('GET /api/partnership-requests/:requestId', { params: { requestId } }).then(
          noteStatus,
          (error: unknown) => statusOf(error) === 404 && forgetRequest(requestId),
        );
    };
    refetch();
    const timer = setInterval(refetch, REFETCH_EVERY_MS);
    return () => clearInterval(timer);
  }, [idList]);
}

const own = read('GET /api/user/partnership-requests');

/** A member's requests: from the outbox, then from the server. */
export function OwnRequests() {
  const client = useQueryClient();
  const query = useQuery({ ...own, staleTime: 0 });
  const device = useDeviceWord();
  const outbox = useOutbox();
  useEffect(
    () =>
      onDelivered(({ entry }) => {
        if (requestIn(entry.path) === null) return;
        void client.invalidateQueries(readsOf(['GET /api/user/partnership-requests']));
      }),
    [client],
  );
  const waiting = outbox.flatMap((entry) => {
    const id = requestIn(entry.path);
    return id === null ? [] : [{ id, entry }];
  });
  const loaded = query.data ?? [];
  if (waiting.length === 0 && query.data?.length === 0) return null;
  return (
    <section className="partner-requests" aria-live="polite">
      <SectionHead title={m.partner_yours()} />
      <ul className="stack">
        {waiting
          .filter(({ id }) => !loaded.some((one) => one.id === id))
          .map(({ id, entry }) => (
            <li key={id}>
              <Request
                id={id}
                mark={entry.state === 'refused' ? 'refused' : entry.state === 'sending' ? 'sending' : 'pencil'}
                title={entry.state === 'refused' ? m.partner_refused() : m.partner_waits()}
                line={whenWord(entry.createdAt)}
              >
                <p className="text-small text-muted">
                  {entry.state === 'refused'
                    ? entry.error && serverWords(entry.error)
                    : m.partner_waits_line({ device })}
                </p>
              </Request>
            </li>
          ))}
        <Reading query={query} skeleton={<li />}>
          {(list) =>
            list.map((one) => (
              <li key={one.id}>
                <Status status={one} />
              </li>
            ))
          }
        </Reading>
      </ul>
    </section>
  );
}

function Status({ status, seenAt, children }: { status: PartnershipStatus; seenAt?: number; children?: ReactNode }) {
  const { id, state, kind, answer, sentAt, changedAt } = status;
  return (
    <Request
      id={id}
      mark={STATE_MARKS[state]}
      title={STATE_WORDS[state]()}
      line={
        state === 'new'
          ? m.partner_sent({ time: whenWord(sentAt), kind: KIND_WORDS[kind]() })
          : m.partner_changed({ time: whenWord(changedAt), kind: KIND_WORDS[kind]() })
      }
    >
      {answer && (
        <Quote lead={m.partner_answer()} asks={state !== 'declined'}>
          {answer}
        </Quote>
      )}
      {seenAt !== undefined && !navigator.onLine && (
        <p className="text-tiny text-muted">{m.partner_as_of({ time: whenWord(seenAt) })}</p>
      )}
      {children}
    </Request>
  );
}

function Request(props: { id: string; mark: MarkState; title: string; line: string; children?: ReactNode }) {
  const { id, mark, title, line, children } = props;
  return (
    <Card id={`request-${id}`} className={mark === 'pencil' || mark === 'sending' ? 'pencil-card' : ''}>
      <div className="flex-row receipt__head">
        <Mark state={mark} />
        <div className="flex-grow">
          <h3>{title}</h3>
          <p className="text-small text-muted">{line}</p>
        </div>
        <span className="numeric text-small partner-reference">{referenceOf(id)}</span>
      </div>
      {children}
    </Card>
  );
}

/** An unsent text, shown in full so none of it is lost. */
function Words({ body }: { body: NewPartnership }) {
  return (
    <details className="disclosure">
      <summary>{m.partner_words()}</summary>
      <p className="text-small">{[body.name, body.organisation, body.contact].filter(Boolean).join(' · ')}</p>
      <p className="text-small written-text">{body.message}</p>
    </details>
  );
}
