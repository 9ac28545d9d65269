import './parts.css';
import { type UseMutationResult, type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Issue } from '../../../../server/contract/ops-logs.ts';
import { inert } from '../../../../server/rules/inert.ts';
import { HttpError, isNetworkFailure } from '../../../lib/http.ts';
import { useOnline } from '../../../lib/online.ts';
import { readsOf } from '../../../lib/query-keys.ts';
import { serverWords } from '../../../lib/server-words.ts';
import { m } from '../../../paraglide/messages.js';
import { Button, type ButtonKind } from '../../../ui/button.tsx';
import { Chip, Quote } from '../../../ui/card.tsx';
import type { IconName } from '../../../ui/icon.tsx';
import { OfflineEmpty, Reading } from '../../../ui/states.tsx';
import { stateWord } from './words.ts';

/** Log reads are live: no copy outlives its screen. */
export const LIVE = { staleTime: 0, gcTime: 0 } as const;
export const READS = readsOf(['GET /api/admin/client-logs/*']);

/** When the server gave the newest data on screen, epoch ms, while offline; else null. */
export function useLastRead(): number | null {
  const cache = useQueryClient().getQueryCache();
  const online = useOnline();
  if (online) return null;
  const latest = Math.max(0, ...cache.findAll(READS).map(({ state }) => state.dataUpdatedAt));
  return latest === 0 ? null : latest;
}

/** Text from a stranger's device, isolated; characters that could reverse or hide text are spelled out. */
export const Inert = ({ children }: { children: string }) => <bdi>{inert(children)}</bdi>;

/** A read without a cached copy: offline, it says so. Data on screen stays. */
export function Live<T>(props: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  missing?: ReactNode;
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { query } = props;
  if (query.data === undefined && query.error && isNetworkFailure(query.error))
    return <NoConnection onRetry={query.refetch} />;
  return (
    <Reading
      query={query}
      {...(props.missing !== undefined && { missing: props.missing })}
      {...(props.skeleton !== undefined && { skeleton: props.skeleton })}
    >
      {props.children}
    </Reading>
  );
}

/** Refetches at every `turn` of the refresh button; unnecessary where the query includes the range. */
export function useTurn(turn: number, refetch: () => unknown): void {
  const done = useRef(turn);
  useEffect(() => {
    if (done.current === turn) return;
    done.current = turn;
    void refetch();
  });
}

/** Explains that logs are not stored on this device. */
export const NoConnection = ({ onRetry }: { onRetry?: () => unknown }) => (
  <OfflineEmpty title={m.ops_offline_title()} line={m.logs_offline_line()} onRetry={onRetry} />
);

export type LogCommand<Body, Result> = UseMutationResult<Result, Error, Body>;

/** A manual action; afterwards the reader's data is refetched. */
export function useLogCommand<Body, Result>(
  run: (body: Body) => Promise<Result>,
  done?: (result: Result) => void,
): LogCommand<Body, Result> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: async (result) => {
      done?.(result);
      await client.invalidateQueries(READS);
    },
  });
}

/** A button for an action that needs the server, with its disabled reason beside it. */
export function LogCommandButton<Body, Result>(props: {
  command: LogCommand<Body, Result>;
  body: NoInfer<Body>;
  kind?: ButtonKind;
  icon?: IconName;
  held?: string | null;
  children: ReactNode;
}) {
  const online = useOnline();
  return (
    <Button
      {...(props.kind && { kind: props.kind })}
      {...(props.icon && { icon: props.icon })}
      busy={props.command.isPending}
      disabledReason={props.held ?? (online ? null : m.leader_needs_connection())}
      onClick={() => props.command.mutate(props.body)}
    >
      {props.children}
    </Button>
  );
}

/** Why it failed; nothing while it may still succeed. */
export function Refused({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <Quote lead={m.member_not_done()}>
      {isNetworkFailure(error) ? (
        m.logs_offline_act()
      ) : (
        <Inert>{error instanceof HttpError ? serverWords(error) : error.message}</Inert>
      )}
    </Quote>
  );
}

/** An issue's state as a chip, in words and a matching colour. */
export function StateChip({ issue }: { issue: Issue }) {
  if (issue.regression)
    return (
      <Chip kind="no" icon="retry">
        {stateWord(issue)}
      </Chip>
    );
  if (issue.state === 'resolved')
    return (
      <Chip kind="ink" icon="check">
        {stateWord(issue)}
      </Chip>
    );
  if (issue.state === 'ignored')
    return (
      <Chip kind="pencil" icon="bell-off">
        {stateWord(issue)}
      </Chip>
    );
  return <Chip>{stateWord(issue)}</Chip>;
}

/** Occurrences over the range as strokes; `label` says the same in words. */
export function Trend({ steps, loud, label }: { steps: readonly number[]; loud: boolean; label: string }) {
  const most = Math.max(1, ...steps);
  const [wide, high] = [6, 28];
  return (
    <svg className="issue-trend" viewBox={`0 0 ${steps.length * wide} ${high}`} role="img" aria-label={label}>
      {steps.map((n, at) => {
        const tall = n === 0 ? 1.5 : Math.max(3, (n / most) * high);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its index
            key={at}
            className={n === 0 ? 'issue-trend__none' : loud ? 'issue-trend__loud' : 'issue-trend__some'}
            x={at * wide}
            y={high - tall}
            width={wide - 2}
            height={tall}
            rx={1.5}
          />
        );
      })}
    </svg>
  );
}
