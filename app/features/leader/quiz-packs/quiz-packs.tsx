import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import type { QuizMiss, QuizPackSummary } from '../../../../server/contract/quiz.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { useSearch } from '../../../lib/search.ts';
import { m } from '../../../paraglide/messages.js';
import { Confirm } from '../../../shared/commands/command-parts.tsx';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { taskCount } from '../../../shared/tasks/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, Chip, ListRow, SectionHead } from '../../../ui/card.tsx';
import { Hatch } from '../../../ui/icon.tsx';
import { useListFocus } from '../../../ui/list-focus.ts';
import { Rows } from '../../../ui/pages.tsx';
import { Empty, Reading } from '../../../ui/states.tsx';
import { QuizPackEditor } from './quiz-pack-editor.tsx';

/** Packs for quiz tasks: the community's own are edited here; below, the most missed questions. */
export function QuizPacks({ community }: { community: CommunitySummary }) {
  const [search, setSearch] = useSearch('/community/$communityId/admin/quizzes');
  const communityId = community.id;
  const editing = search.pack;
  const open = (pack: string | null) => setSearch({ pack }, pack !== null);
  if (editing === 'new')
    return (
      <>
        <SectionHead title={m.quiz_pack_write()} />
        <QuizPackEditor communityId={communityId} pack={null} onDone={() => open(null)} />
      </>
    );
  if (editing !== undefined) return <Edit communityId={communityId} packId={editing} onDone={() => open(null)} />;
  return <Lists communityId={communityId} onEdit={open} />;
}

function Edit({ communityId, packId, onDone }: { communityId: string; packId: string; onDone: () => void }) {
  const query = useQuery(read('GET /api/communities/:communityId/quiz-packs/:packId', { communityId, packId }));
  return (
    <>
      <SectionHead title={m.quiz_pack_edit()} />
      <Reading
        query={query}
        missing={<Empty title={m.quiz_no_pack()} action={<Button onClick={onDone}>{m.quiz_packs_back()}</Button>} />}
      >
        {(pack) => <QuizPackEditor key={pack.id} communityId={communityId} pack={pack} onDone={onDone} />}
      </Reading>
    </>
  );
}

function Lists({ communityId, onEdit }: { communityId: string; onEdit: (pack: string) => void }) {
  const query = useQuery(read('GET /api/communities/:communityId/quiz-packs', { communityId }));
  const list = useListFocus<HTMLDivElement>();
  const add = (
    <Button icon="plus" onClick={() => onEdit('new')}>
      {m.quiz_pack_write()}
    </Button>
  );
  return (
    <div ref={list}>
      <Reading query={query}>
        {({ items }) => {
          const own = items.filter(({ ref }) => ref.startsWith('own:'));
          const shipped = items.filter(({ ref }) => ref.startsWith('shipped:'));
          return (
            <>
              <SectionHead title={m.quiz_packs_own()} end={own.length > 0 ? add : undefined} />
              {own.length === 0 ? (
                <Empty title={m.quiz_packs_none()} line={m.quiz_packs_none_line()} action={add} />
              ) : (
                <ul className="stack">
                  {own.map((pack) => (
                    <li key={pack.ref} data-row>
                      <OwnPack communityId={communityId} pack={pack} onEdit={onEdit} />
                    </li>
                  ))}
                </ul>
              )}
              {shipped.length > 0 && (
                <>
                  <SectionHead title={m.quiz_packs_shipped()} />
                  <div className="stack">
                    <p className="text-small text-muted">{m.quiz_packs_shipped_line()}</p>
                    <Rows items={shipped.map((pack) => ({ ...pack, id: pack.ref }))}>
                      {(pack) => <ListRow title={pack.title} line={metaOf(pack)} />}
                    </Rows>
                  </div>
                </>
              )}
            </>
          );
        }}
      </Reading>
      <Misses communityId={communityId} />
    </div>
  );
}

const metaOf = ({ questions, tasks }: QuizPackSummary): string =>
  [
    m.quiz_questions({ count: questions, n: number(questions) }),
    tasks > 0 ? m.quiz_pack_used({ tasks: taskCount(tasks) }) : m.quiz_pack_unused(),
  ].join(' · ');

function OwnPack(props: { communityId: string; pack: QuizPackSummary; onEdit: (pack: string) => void }) {
  const { communityId, pack } = props;
  const packId = pack.ref.slice('own:'.length);
  const [asking, setAsking] = useState(false);
  const close = useCallback(() => setAsking(false), []);
  const drop = useCommand(
    (_: null, idempotencyKey) =>
      call('DELETE /api/communities/:communityId/quiz-packs/:packId', {
        params: { communityId, packId },
        idempotencyKey,
      }),
    close,
  );
  return (
    <Card>
      <div className="flex-row flex-wrap">
        <h3 className="flex-grow break-anywhere">{pack.title}</h3>
        {pack.tasks > 0 && <Chip kind="ink">{m.quiz_pack_in_use()}</Chip>}
      </div>
      {pack.about && <p className="text-small written-text">{pack.about}</p>}
      <p className="text-small text-muted">{metaOf(pack)}</p>
      <div className="actions">
        <Button kind="edge" icon="edit" onClick={() => props.onEdit(packId)}>
          {m.quiz_pack_edit()}
        </Button>
        <Button
          kind="words"
          icon="discard"
          disabledReason={pack.tasks > 0 ? m.quiz_pack_in_use() : null}
          onClick={() => setAsking(true)}
        >
          {m.leader_reward_drop()}
        </Button>
      </div>
      <Confirm
        title={m.quiz_pack_drop_title({ pack: pack.title })}
        line={m.quiz_pack_drop_line()}
        action={m.leader_reward_drop()}
        cancel={m.leader_keep()}
        open={asking}
        onClose={close}
        command={drop}
        body={null}
      />
    </Card>
  );
}

function Misses({ communityId }: { communityId: string }) {
  const query = useQuery(read('GET /api/communities/:communityId/quiz-misses', { communityId }));
  return (
    <>
      <SectionHead title={m.quiz_misses()} />
      <p className="text-small text-muted">{m.quiz_misses_line()}</p>
      <Reading query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-small text-muted">{m.quiz_misses_none()}</p>
          ) : (
            <Card className="card--rows">
              <ul className="ruled-list">
                {items.map((miss) => (
                  <li key={`${miss.ref} ${miss.text}`}>
                    <Miss miss={miss} />
                  </li>
                ))}
              </ul>
            </Card>
          )
        }
      </Reading>
    </>
  );
}

function Miss({ miss: { text, pack, shown, missed } }: { miss: QuizMiss }) {
  const words = m.quiz_missed_of({ n: number(missed), all: number(shown) });
  return (
    <>
      <b className="break-anywhere">{text}</b>
      <p className="text-small text-muted">{`${pack} · ${words}`}</p>
      <Hatch done={shown === 0 ? 0 : missed / shown} label={words} />
    </>
  );
}
