import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useOnline } from '../../lib/online.ts';
import { refetchChanged } from '../../lib/refetch.ts';
import { m } from '../../paraglide/messages.js';

export type Command<Body, Result> = UseMutationResult<Result, Error, Body>;

/**
 * A command that needs the server now. Retrying the same body sends the same key, so a lost answer changes nothing
 * twice; after success, sending it again is a new command. Afterwards the community is refetched, except where the
 * command only waits in the outbox (`isQueued`).
 */
export function useCommand<Body, Result>(
  run: (body: Body, idempotencyKey: string) => Promise<Result>,
  done?: (result: Result, body: Body) => void,
  isQueued = false,
): Command<Body, Result> {
  const client = useQueryClient();
  const last = useRef<{ text: string; key: string } | null>(null);
  return useMutation({
    mutationFn: (body: Body) => {
      const text = JSON.stringify(body) ?? '';
      if (last.current?.text !== text) last.current = { text, key: crypto.randomUUID() };
      return run(body, last.current.key);
    },
    onSuccess: async (result, body) => {
      last.current = null;
      done?.(result, body);
      if (!isQueued) await refetchChanged(client);
    },
  });
}

/** Why a command cannot be sent now, or null. */
export const useNeedsConnection = (): string | null => (useOnline() ? null : m.leader_needs_connection());
