import { useRef } from 'react';

/**
 * The `Idempotency-Key` of a command sent straight to the server. Retrying the same body sends the same key, so a lost
 * answer changes nothing twice; another body is another command.
 */
export function useCommandKey(): (body: unknown) => string {
  const last = useRef<{ body: string; key: string } | null>(null);
  return (body) => {
    const text = JSON.stringify(body) ?? '';
    if (last.current?.body !== text) last.current = { body: text, key: crypto.randomUUID() };
    return last.current.key;
  };
}
