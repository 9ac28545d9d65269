import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { HttpError } from '../../lib/http.ts';
import { product } from '../../lib/product.ts';
import { userQuery } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { ErrorCode, State } from '../../ui/states.tsx';

/** The server failed to say who this is, without a copy on this device. That does not mean signed out. */
export function UnknownScreen() {
  // It must not observe the user query: each mount would ask at once, and the gate would open and close for ever.
  const client = useQueryClient();
  const error = client.getQueryState(userQuery.queryKey)?.error;
  const title = m.shell_unknown_title();
  useEffect(() => {
    document.title = `${title} · ${product.name}`;
  }, [title]);
  return (
    <main id="main" tabIndex={-1} className="full-height">
      <State
        heading="h1"
        illustration="broken"
        title={title}
        actions={
          <Button icon="retry" onClick={() => void client.refetchQueries({ queryKey: userQuery.queryKey })}>
            {m.shell_queue_retry()}
          </Button>
        }
      >
        <p>{m.shell_unknown_line()}</p>
        {error instanceof HttpError && <ErrorCode error={error} />}
      </State>
    </main>
  );
}
