import './imports.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { IMPORT_BYTES } from '../../../../server/contract/import-limits.ts';
import type { ImportCheck, ImportKind } from '../../../../server/contract/imports.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Refused } from '../../../shared/commands/command-parts.tsx';
import { useCommand, useNeedsConnection } from '../../../shared/commands/use-command.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Mark, type MarkState } from '../../../ui/icon.tsx';
import { Segment } from '../../../ui/segment.tsx';
import { Failed, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { ImportPlan } from './import-plan.tsx';
import { type ImportFile, sentOf, tightened } from './import-text.ts';

/** From a file through columns and a dry run to the import. The device stores nothing, because the file remains. */
export function MoveIn({ communityId }: { communityId: string }) {
  const [file, setFile] = useState<ImportFile | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const check = useMutation({
    mutationFn: (chosen: ImportFile) =>
      call('POST /api/communities/:communityId/imports/check', { params: { communityId }, ...sentOf(chosen) }),
  });
  const client = useQueryClient();
  const listed = read('GET /api/communities/:communityId/imports', { communityId }).queryKey;
  const run = useCommand(
    (chosen: ImportFile, idempotencyKey) =>
      call('POST /api/communities/:communityId/imports', {
        params: { communityId },
        ...sentOf(chosen),
        idempotencyKey,
      }),
    (made) => {
      client.setQueryData(listed, (cached) => [made, ...(cached ?? [])]);
      const words = { count: made.count, n: String(made.count) };
      toast({
        icon: 'check',
        title: made.kind === 'people' ? m.import_done_people(words) : m.import_done_tasks(words),
      });
      setFile(null);
    },
  );
  const look = (next: ImportFile) => {
    run.reset();
    setFile(next);
    check.mutate(next);
  };
  const choose = async (kind: ImportKind, chosen: File) => {
    setWrong(null);
    // UTF-16 is up to twice as large.
    if (chosen.size > 2 * IMPORT_BYTES) return setWrong(m.import_file_large());
    const bytes = await chosen.arrayBuffer().catch(() => null);
    if (bytes === null) return setWrong(m.import_file_refused());
    const read = { kind, name: chosen.name.slice(0, 200) || 'file.csv', bytes: tightened(new Uint8Array(bytes)) };
    if (read.bytes.length > IMPORT_BYTES) return setWrong(m.import_file_large());
    look(read);
  };
  return (
    <section aria-label={m.import_title()} className="stack-medium">
      <Steps at={file === null ? 'file' : check.data ? 'dry' : 'columns'} />
      {file === null ? (
        <Choose wrong={wrong} onFile={choose} />
      ) : (
        <>
          <Looked check={check} file={file} onAgain={() => check.mutate(file)}>
            {(found) => <ImportPlan file={file} check={found} isNew={check.isPending} onChange={look} run={run} />}
          </Looked>
          <Refused error={run.error} />
          <div className="actions">
            <Button kind="words" icon="back" onClick={() => setFile(null)}>
              {m.import_another()}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

type Check = { data: ImportCheck | undefined; error: Error | null; isPending: boolean };

/** Findings stay on screen while another reading of the same file loads. */
function Looked(props: {
  check: Check;
  file: ImportFile;
  onAgain: () => void;
  children: (found: ImportCheck) => ReactNode;
}) {
  const { data, error, isPending } = props.check;
  const [shown, setShown] = useState<ImportCheck | null>(null);
  if (data && data !== shown) setShown(data);
  const found = data ?? shown;
  if (error && !isPending) return <Failed error={error} onRetry={props.onAgain} />;
  if (!found)
    return (
      <Card>
        <p className="text-small" role="status">
          {m.import_reading()}
        </p>
        <Skeleton />
      </Card>
    );
  return props.children(found);
}

function Choose(props: { wrong: string | null; onFile: (kind: ImportKind, file: File) => void }) {
  const [kind, setKind] = useState<ImportKind>('people');
  const offline = useNeedsConnection();
  return (
    <Card className="form-stack">
      <div>
        <h2>{m.import_title()}</h2>
        <p className="text-small text-muted">{m.import_line()}</p>
      </div>
      <Segment
        label={m.import_what()}
        options={[
          { value: 'people', label: m.import_people() },
          { value: 'tasks', label: m.import_tasks() },
        ]}
        value={kind}
        onChange={setKind}
      />
      {offline ? (
        <Button kind="edge" icon="inbox" disabledReason={offline}>
          {m.import_file()}
        </Button>
      ) : (
        <label className={props.wrong ? 'field field--wrong' : 'field'}>
          <span>{m.import_file()}</span>
          <input
            type="file"
            className="field__input"
            accept=".csv,.tsv,.txt,text/csv"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) props.onFile(kind, file);
              // The same file, corrected in the meantime, may be chosen again.
              currentTarget.value = '';
            }}
          />
          <span className="field__hint" {...(props.wrong && { role: 'alert' })}>
            {props.wrong ?? m.import_file_hint()}
          </span>
        </label>
      )}
    </Card>
  );
}

const STEPS = ['file', 'columns', 'dry', 'import'] as const;
const STEP_WORDS = {
  file: m.import_step_file,
  columns: m.import_step_columns,
  dry: m.import_step_dry,
  import: m.import_step_import,
} as const;

function Steps({ at }: { at: (typeof STEPS)[number] }) {
  const now = STEPS.indexOf(at);
  return (
    <ol className="import-steps" aria-label={m.import_steps()}>
      {STEPS.map((step, index) => {
        const state: MarkState = index < now ? 'ink' : index === now ? 'received' : 'slot';
        return (
          <li key={step} {...(index === now && { 'aria-current': 'step' as const })}>
            <Mark state={state} size={22} />
            {STEP_WORDS[step]()}
            {index < now && <span className="visually-hidden">{m.import_step_done()}</span>}
          </li>
        );
      })}
    </ol>
  );
}
