import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearch } from '../../lib/search.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Reading, Skeleton } from '../../ui/states.tsx';
import { AttemptScreen } from './attempt-screen.tsx';
import { loadPack, PACKS } from './packs.ts';
import { type PlannedCard, planOf, sessionOf } from './plan.ts';
import { PlanView } from './plan-view.tsx';
import { PracticeRun } from './practice-run.tsx';
import { usePractice } from './use-practice.ts';

/**
 * The quiz: a plan, practice (`?practice=` a pack, or `due` for all packs) and graded attempts (`?attempt=`). Practice
 * needs neither an account nor a connection.
 */
export function QuizScreen() {
  const [search] = useSearch('/web3-quiz');
  const { practice, attempt } = search;
  const state = usePractice();
  if (attempt !== undefined) return <AttemptScreen key={attempt} attemptId={attempt} />;
  if (practice !== undefined) return <Practice key={practice} which={practice} state={state} />;
  return <PlanView state={state} />;
}

type State = ReturnType<typeof usePractice>;

function Practice({ which, state }: { which: string; state: State }) {
  const { record, note } = state;
  const [again, setAgain] = useState<{ turns: readonly PlannedCard[]; count: number } | null>(null);
  const due = record && planOf(PACKS, record, Date.now());
  const isDue = which === 'due';
  const wanted = isDue
    ? (due?.packs ?? []).filter((pack) => pack.due > 0).map(({ id }) => id)
    : PACKS.filter(({ id }) => id === which).map(({ id }) => id);
  // Due questions change with each answer; the session keeps its initial ones.
  const [first, setFirst] = useState<readonly string[] | null>(null);
  if (first === null && record !== null) setFirst(wanted);
  const ids = first ?? [];
  const packs = useQuery({
    queryKey: ['quiz-packs', ...ids],
    queryFn: () => Promise.all(ids.map(loadPack)),
    enabled: ids.length > 0,
    retry: false,
  });
  if (record !== null && ids.length === 0)
    return (
      <Screen title={m.quiz_title()} back={{ to: '/web3-quiz', label: m.quiz_back() }}>
        <Empty
          title={isDue ? m.quiz_nothing_due() : m.quiz_no_pack()}
          line={isDue ? m.quiz_nothing_due_line() : m.quiz_no_pack_line()}
          action={<ButtonLink to="/web3-quiz">{m.quiz_back()}</ButtonLink>}
        />
      </Screen>
    );
  if (!packs.data || record === null)
    return (
      <Screen title={m.quiz_title()} back={{ to: '/web3-quiz', label: m.quiz_back() }}>
        {record === null ? <Skeleton /> : <Reading query={packs}>{() => null}</Reading>}
      </Screen>
    );
  return (
    <PracticeRun
      key={again?.count ?? 0}
      packs={packs.data}
      turns={again?.turns ?? sessionOf(packs.data, record, Date.now(), !isDue)}
      record={record}
      note={note}
      onAgain={(turns) => setAgain({ turns, count: (again?.count ?? 0) + 1 })}
    />
  );
}
