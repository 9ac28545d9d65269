import './tools.css';
import { TASK_INSTRUCTIONS_MAX, TASK_TITLE_MAX } from '../../../server/contract/limits.ts';
import type { TaskProposal } from '../../../server/contract/writing.ts';
import { newId } from '../../kinds/choices.ts';
import { kindWord } from '../../kinds/kinds.ts';
import { emptySetup } from '../../kinds/leader.ts';
import { useDraft } from '../../lib/drafts.ts';
import { m } from '../../paraglide/messages.js';
import { taskDraft } from '../../shared/drafts/draft-names.ts';
import { recurrenceWord } from '../../shared/tasks/words.ts';
import { Button } from '../../ui/button.tsx';
import { Card, SectionHead, TaskCard } from '../../ui/card.tsx';
import { Field, Select, TextArea } from '../../ui/field.tsx';
import { emptyDraft, pointsOf, type TaskDraft } from '../leader/tasks/task-draft.ts';
import { FromSentence, useModel } from './model.tsx';
import { CopyButton, ForLeaders, StoredNote } from './parts.tsx';
import { TASK_TEMPLATES, type TaskTemplate } from './task-templates.ts';
import { UseInCommunity } from './use-in-community.tsx';

type Words = { title: string; instructions: string };
/** The edited template, with the model's proposals. */
type Own = Words & Partial<Pick<TaskProposal, 'points' | 'recurrence' | 'choices'>>;
/** By template id, so switching loses nothing. */
const BLANK = { template: TASK_TEMPLATES[0].id as string, own: {} as Record<string, Own> };

const wordsOf = (template: TaskTemplate): Words => ({ title: template.title(), instructions: template.instructions() });

/** Writes a task from a template, for a community's task editor. */
export function TaskWriter() {
  const { draft, change, drop } = useDraft('tool:task', BLANK);
  const template: TaskTemplate = TASK_TEMPLATES.find(({ id }) => id === draft.template) ?? TASK_TEMPLATES[0];
  const words: Own = draft.own[template.id] ?? wordsOf(template);
  const isOwn = draft.own[template.id] !== undefined;
  const model = useModel();
  const task = taskOf(template, words);
  const write = (part: Partial<Words>) => change({ own: { ...draft.own, [template.id]: { ...words, ...part } } });
  return (
    <>
      <ForLeaders>{m.tools_task_lead()}</ForLeaders>
      <div className="tool-columns">
        <Card className="form-stack">
          {model && (
            <FromSentence
              model={model}
              onProposal={({ kind, ...own }) => {
                const { id } = TASK_TEMPLATES.find((one) => one.kind === kind) ?? template;
                change({ template: id, own: { ...draft.own, [id]: own } });
              }}
            />
          )}
          <Select
            label={m.tools_task_kind()}
            options={TASK_TEMPLATES.map((one: TaskTemplate) => ({
              value: one.id,
              label: `${kindWord(one.kind)}: ${one.title()}`,
            }))}
            value={template.id}
            onValue={(id) => change({ template: id })}
          />
          <Field
            label={m.tools_task_title()}
            value={words.title}
            maxLength={TASK_TITLE_MAX}
            onValue={(title) => write({ title })}
          />
          <TextArea
            label={m.tools_task_instructions()}
            hint={m.tools_task_instructions_hint()}
            value={words.instructions}
            maxLength={TASK_INSTRUCTIONS_MAX}
            rows={4}
            onValue={(instructions) => write({ instructions })}
          />
          {isOwn && (
            <div>
              <Button
                kind="words"
                icon="undo"
                onClick={() => {
                  const { [template.id]: _, ...own } = draft.own;
                  change({ own });
                }}
              >
                {m.tools_task_reset()}
              </Button>
            </div>
          )}
          <StoredNote asksModel={model !== null} isEmpty={Object.keys(draft.own).length === 0} onClear={drop} />
        </Card>
        <div className="stack-medium">
          <section>
            <SectionHead
              title={m.tools_task_preview()}
              end={
                <CopyButton text={`${words.title}\n\n${words.instructions}`.trim()} kind="words">
                  {m.tools_task_copy()}
                </CopyButton>
              }
            />
            <TaskCard
              mark="slot"
              title={words.title || m.leader_task_title()}
              meta={`${kindWord(template.kind)} · ${recurrenceWord(task.recurrence)}`}
              points={Number(pointsOf(task))}
            >
              <p className="text-small tool-words">{words.instructions}</p>
            </TaskCard>
          </section>
          <UseInCommunity
            button={m.tools_task_open()}
            icon="edit"
            line={m.tools_task_open_line()}
            draftName={taskDraft}
            room="tasks"
            draft={() => taskOf(template, words)}
            disabledReason={words.title.trim() === '' ? m.tools_task_empty() : null}
            replaceLine={m.tools_use_replace_task}
          />
        </div>
      </div>
    </>
  );
}

function taskOf(template: TaskTemplate, { title, instructions, points, recurrence, choices }: Own): TaskDraft {
  const now = Date.now();
  const setup = emptySetup(template.kind, now);
  return {
    ...emptyDraft(now),
    title,
    instructions,
    setup:
      setup.kind === 'poll' && choices ? { ...setup, choices: choices.map((text) => ({ id: newId(), text })) } : setup,
    recurrence: recurrence ?? template.recurrence,
    ...(points !== undefined && { points: String(points) }),
  };
}
