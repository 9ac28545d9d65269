import { useRouter } from '@tanstack/react-router';
import './entry-parts.css';
import './parts.css';
import { useState } from 'react';
import type { EntryDetail, Frame, LogEntry } from '../../../../server/contract/ops-logs.ts';
import { inert } from '../../../../server/rules/inert.ts';
import { copyText } from '../../../lib/browser.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Inert } from './parts.tsx';
import { entryAt, logsAt } from './search.ts';
import { Trail } from './trail.tsx';
import { momentWord, spanWord } from './words.ts';

/** All details of one entry: breadcrumbs, stack, device, and delivery. */
export function EntryParts({ detail }: { detail: EntryDetail }) {
  return (
    <>
      <Card>
        <p className="log-message">
          <Inert>{detail.entry.message}</Inert>
        </p>
        <Copies detail={detail} />
      </Card>
      <Card>
        <h3>{m.logs_crumbs()}</h3>
        <Trail detail={detail} />
      </Card>
      <Card>
        <h3>{m.logs_stack()}</h3>
        <Stack detail={detail} />
      </Card>
      <Card>
        <h3>{m.logs_facts()}</h3>
        <Facts detail={detail} />
      </Card>
      <Card>
        <details className="disclosure">
          <summary className="text-small">{m.logs_raw()}</summary>
          <pre className="source-lines">{inert(JSON.stringify(detail.data, null, 2) ?? '')}</pre>
        </details>
      </Card>
    </>
  );
}

function Copies({ detail }: { detail: EntryDetail }) {
  const [copied, setCopied] = useState('');
  const { entry } = detail;
  const path = useRouter().buildLocation(entryAt(entry)).publicHref;
  const copy = async (text: string, done: string) => setCopied((await copyText(text)) ? done : m.logs_copy_refused());
  return (
    <>
      <div className="actions">
        <Button kind="edge" icon="copy" onClick={() => void copy(detail.asText, m.logs_copied_text())}>
          {m.logs_copy_text()}
        </Button>
        <Button kind="edge" icon="link" onClick={() => void copy(location.origin + path, m.logs_copied_link())}>
          {m.logs_copy_link()}
        </Button>
        {entry.user !== null && (
          <ButtonLink kind="edge" icon="you" {...logsAt('timeline', { user: entry.user.id })}>
            {m.logs_to_person()}
          </ButtonLink>
        )}
        {entry.device !== null && (
          <ButtonLink kind="edge" icon="phone" {...logsAt('timeline', { device: entry.device })}>
            {m.logs_to_phone()}
          </ButtonLink>
        )}
      </div>
      <p className="text-tiny text-muted" role="status">
        {copied}
      </p>
    </>
  );
}

function Stack({ detail: { stack, rawStack } }: { detail: EntryDetail }) {
  if (stack === null)
    return rawStack === null ? (
      <p className="text-small text-muted">{m.logs_no_stack()}</p>
    ) : (
      <pre className="source-lines">{inert(rawStack)}</pre>
    );
  const firstOwn = stack.findIndex(({ inApp, code }) => inApp && code !== null);
  return (
    <>
      <p className="text-tiny text-muted">
        {stack.some(({ original }) => original) ? m.logs_mapped() : m.logs_not_mapped()}
      </p>
      <ol className="stack-trace">
        {stack.map((frame, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: frames of a stack do not move
          <li key={at} className={frame.inApp ? '' : 'stack-trace__foreign'}>
            {frame.code === null ? (
              <FrameHead frame={frame} />
            ) : (
              <details className="disclosure" open={at === firstOwn}>
                <summary>
                  <FrameHead frame={frame} />
                </summary>
                <Code frame={frame} code={frame.code} />
              </details>
            )}
          </li>
        ))}
      </ol>
      {rawStack !== null && (
        <details className="disclosure">
          <summary className="text-small">{m.logs_raw_stack()}</summary>
          <pre className="source-lines">{inert(rawStack)}</pre>
        </details>
      )}
    </>
  );
}

function FrameHead({ frame }: { frame: Frame }) {
  const position = [frame.file ?? '?', frame.line, frame.column].filter((part) => part !== null).join(':');
  return (
    <span className="monospace">
      <b>
        <Inert>{frame.function ?? m.logs_no_function()}</Inert>
      </b>{' '}
      <span className="text-muted">
        <Inert>{position}</Inert>
      </span>
    </span>
  );
}

function Code({ frame, code }: { frame: Frame; code: { start: number; lines: string[] } }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard
    <pre className="source-lines" tabIndex={0}>
      {code.lines.map((line, at) => {
        const n = code.start + at;
        const isHere = n === frame.line;
        return (
          <span
            key={n}
            className={isHere ? 'source-lines__line source-lines__line--here' : 'source-lines__line'}
            aria-current={isHere || undefined}
          >
            <i>{n}</i>
            {inert(line)}
            {'\n'}
          </span>
        );
      })}
    </pre>
  );
}

function connectionWord({ offlineMs, connection }: LogEntry): string | null {
  if (offlineMs !== null && offlineMs < 1_000) return m.logs_just_offline();
  if (offlineMs !== null) return m.logs_was_offline({ span: spanWord(offlineMs) });
  return connection;
}

function skewWord(skewMs: number | null): string | null {
  if (skewMs === null) return null;
  if (Math.abs(skewMs) < 1_000) return m.logs_skew_none();
  return skewMs > 0 ? m.logs_skew_behind({ span: spanWord(skewMs) }) : m.logs_skew_ahead({ span: spanWord(skewMs) });
}

function Facts({ detail }: { detail: EntryDetail }) {
  const { entry, gap } = detail;
  const facts: [string, string | null][] = [
    [m.logs_fact_happened(), momentWord(entry.happenedAt)],
    [m.logs_fact_offline(), connectionWord(entry)],
    [m.logs_fact_arrived(), m.logs_arrived({ span: spanWord(entry.delayMs), time: momentWord(entry.receivedAt) })],
    [m.logs_fact_clock(), skewWord(detail.skewMs)],
    [
      m.logs_fact_sequence(),
      entry.sequence === null
        ? null
        : gap.missingBefore === 0
          ? m.logs_sequence_whole({ n: number(entry.sequence) })
          : m.logs_sequence_gap({ n: number(entry.sequence), missing: number(gap.missingBefore) }),
    ],
    [m.logs_fact_dropped(), gap.dropped === 0 ? m.logs_dropped_none() : m.logs_dropped_n({ n: number(gap.dropped) })],
    [m.logs_fact_repeats(), entry.repeats > 1 ? m.logs_repeats({ n: number(entry.repeats) }) : null],
    [m.logs_fact_who(), entry.user === null ? m.logs_who_signed_out() : (entry.user.name ?? m.logs_who_nameless())],
    [m.logs_fact_device(), [entry.browser, entry.os].filter(Boolean).join(', ') || null],
    [m.logs_filter_engine(), entry.engine],
    [m.logs_filter_display(), entry.display],
    [m.logs_filter_release(), entry.release],
    [m.logs_filter_route(), entry.route],
    [m.logs_filter_community(), detail.community],
    [m.logs_filter_source(), entry.source],
    [m.logs_fact_url(), detail.url],
    [m.logs_fact_address(), detail.address],
    [m.logs_fact_agent(), detail.userAgent],
    [m.logs_fact_id(), entry.id],
  ];
  return (
    <dl className="log-facts">
      {facts.flatMap(([name, value]) =>
        value === null
          ? []
          : [
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Inert>{value}</Inert>
                </dd>
              </div>,
            ],
      )}
    </dl>
  );
}
