import { useMutation } from '@tanstack/react-query';
import type { User } from '../../../server/contract/user.ts';
import { timeNow } from '../../lib/clock.ts';
import { request } from '../../lib/http.ts';
import { useOnline } from '../../lib/online.ts';
import { errorText } from '../../lib/refusal-words.ts';
import { saveFile } from '../../lib/save-file.ts';
import { deviceWord } from '../../lib/surroundings.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Card, Quote } from '../../ui/card.tsx';
import { toast } from '../../ui/toast.tsx';
import { deviceArchive, withDevice } from './device-archive.ts';

const nameOf = (what: string, at: Date) => `${what}-${at.toISOString().slice(0, 10)}.zip`;

/** The server's and this device's data in one file; offline, only this device's. */
export function Download({ user }: { user: User }) {
  const online = useOnline();
  const whole = useMutation({
    mutationFn: async () => {
      const at = new Date(timeNow());
      const answer = await request('GET', '/api/user/data/archive');
      saveFile(await withDevice(await answer.blob(), user.id, at), nameOf('muster', at));
    },
    onSuccess: () => toast({ icon: 'check', title: m.data_download_done() }),
  });
  const here = useMutation({
    mutationFn: async () => {
      const at = new Date(timeNow());
      saveFile(await deviceArchive(user.id, at), nameOf('muster-device', at));
    },
    onSuccess: () => toast({ icon: 'check', title: m.data_download_done() }),
  });
  const failed = whole.error ?? here.error;
  return (
    <Card className="stack-medium">
      <p>{m.data_download_line()}</p>
      <p className="text-small text-muted">{m.data_download_what({ device: deviceWord() })}</p>
      {failed && <Quote lead={m.data_download_failed()}>{errorText(failed)}</Quote>}
      <div className="actions">
        <Button
          icon="export"
          busy={whole.isPending}
          disabledReason={online ? null : m.leader_needs_connection()}
          onClick={() => whole.mutate()}
        >
          {whole.isPending ? m.data_download_making() : m.data_download()}
        </Button>
        <Button kind="edge" icon="phone" busy={here.isPending} onClick={() => here.mutate()}>
          {m.data_download_device({ device: deviceWord() })}
        </Button>
      </div>
      {whole.isPending && (
        <p className="text-small text-muted" role="status">
          {m.data_download_wait()}
        </p>
      )}
    </Card>
  );
}
