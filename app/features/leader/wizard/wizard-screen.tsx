import '../../../ui/desk.css';
import '../tasks/task-editor.css';
import './wizard-screen.css';
import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import type { User } from '../../../../server/contract/user.ts';
import { useDraft } from '../../../lib/drafts.ts';
import { number } from '../../../lib/format.ts';
import { call, HttpError } from '../../../lib/http.ts';
import { product } from '../../../lib/product.ts';
import { userQuery } from '../../../lib/query.ts';
import { refetchChanged } from '../../../lib/refetch.ts';
import { serverWords } from '../../../lib/server-words.ts';
import { m } from '../../../paraglide/messages.js';
import { Refused } from '../../../shared/commands/command-parts.tsx';
import { useNeedsConnection } from '../../../shared/commands/use-command.ts';
import { CommunityAvatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { showWrong } from '../../../ui/field.tsx';
import { Hatch } from '../../../ui/icon.tsx';
import { Screen } from '../../../ui/screen.tsx';
import { Forbidden, Reading } from '../../../ui/states.tsx';
import { emptyDraft, previewOf } from '../tasks/task-draft.ts';
import { TaskPreview } from '../tasks/task-preview.tsx';
import { InviteStep, NameStep, NotYet, RulesStep, TasksStep, TelegramStep } from './steps.tsx';
import {
  beginning,
  communityOf,
  problemsOf,
  STEPS,
  type Step,
  slugOf,
  tasksLeft,
  tasksOf,
  type WizardDraft,
  type WizardProblem,
} from './wizard-draft.ts';

const STEP_WORDS: Record<Step, () => string> = {
  name: m.leader_wizard_name,
  telegram: m.leader_wizard_telegram,
  rules: m.leader_wizard_rules,
  tasks: m.leader_wizard_tasks,
  invite: m.leader_wizard_invite,
};

/** Creates a community with its first tasks. Until the start, everything is on this device. */
export function WizardScreen() {
  const user = useQuery(userQuery);
  return (
    <Screen title={m.leader_wizard()} back={{ to: '/communities', label: m.shell_to_communities() }}>
      <Reading query={user as UseQueryResult<User | null>}>
        {(me) => (me ? <Wizard user={me} /> : <Forbidden signIn />)}
      </Reading>
    </Screen>
  );
}

function Wizard({ user }: { user: User }) {
  const { draft, change, drop } = useDraft<WizardDraft>('wizard', beginning());
  const [tried, setTried] = useState<Step | null>(null);
  const client = useQueryClient();
  const offline = useNeedsConnection();
  const heading = useRef<HTMLDivElement>(null);
  const entered = useRef<Step | null>(null);
  // An old draft may name a step that no longer exists.
  const step: Step = STEPS.includes(draft.step) ? draft.step : 'name';
  const mayStart = user.isVerified || draft.made !== null;
  const at = STEPS.indexOf(step);
  const problems = problemsOf(draft, step, product.slug);
  const found: ReadonlySet<WizardProblem> = new Set(tried === step ? problems : []);
  useEffect(() => {
    if (entered.current === step) heading.current?.querySelector('h2')?.focus();
  }, [step]);
  const go = (next: Step) => {
    entered.current = next;
    change({ step: next });
  };
  const start = useMutation({
    mutationFn: () => make(draft, change),
    onSuccess: async () => {
      go('invite');
      await refetchChanged(client);
    },
  });
  const taken = start.error instanceof HttpError && /^SLUG/.test(start.error.reason) ? serverWords(start.error) : null;
  function forward(form: HTMLElement) {
    showWrong(form, () => setTried(step));
    if (problems.length > 0) return;
    if (step === 'tasks') {
      if (!offline) start.mutate();
    } else if (mayStart) go(STEPS[at + 1] ?? step);
  }
  /** A refusal is shown until the draft changes: another address is not the one that was taken. */
  const onChange = (part: Partial<WizardDraft>) => {
    if (start.isError) start.reset();
    change(part);
  };
  const parts = { draft, found, onChange };
  return (
    <div className="form-editor">
      <div>
        <div className="flex-row progress-line">
          <div className="flex-grow">
            <Hatch
              done={draft.made ? (at + 1) / STEPS.length : 0}
              pencil={draft.made ? 0 : (at + 1) / STEPS.length}
              label={m.leader_wizard_step({ at: number(at + 1), of: number(STEPS.length) })}
            />
          </div>
          <span className="text-small numeric">
            {m.leader_wizard_step({ at: number(at + 1), of: number(STEPS.length) })}
          </span>
        </div>
        <ol className="wizard-steps" aria-label={m.leader_wizard_steps()}>
          {STEPS.map((one, index) => (
            <li
              key={one}
              className={index < at ? 'wizard-steps__done' : ''}
              {...(one === step && { 'aria-current': 'step' as const })}
            >
              {STEP_WORDS[one]()}
            </li>
          ))}
        </ol>
        <Card>
          <form
            className="form-stack"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              forward(event.currentTarget);
            }}
          >
            <div ref={heading} className="form-stack">
              {step === 'name' && (mayStart ? <NameStep {...parts} user={user} taken={taken} /> : <NotYet />)}
              {step === 'telegram' && <TelegramStep {...parts} />}
              {step === 'rules' && <RulesStep {...parts} />}
              {step === 'tasks' && <TasksStep {...parts} />}
              {step === 'invite' && draft.made && (
                <InviteStep
                  made={draft.made}
                  onAgain={() => {
                    drop();
                    change({ ...beginning(), step: 'name' });
                  }}
                />
              )}
            </div>
            {taken === null && <Refused error={start.error} />}
            {taken !== null && step === 'tasks' && (
              <p className="quote" role="alert">
                {taken}{' '}
                <button type="button" className="text-link wizard-save-link" onClick={() => go('name')}>
                  {m.leader_wizard_name()}
                </button>
              </p>
            )}
            {step !== 'invite' && (
              <div className="actions wizard-actions">
                {at > 0 && draft.made === null && (
                  <Button kind="edge" onClick={() => go(STEPS[at - 1] ?? step)}>
                    {m.leader_wizard_back()}
                  </Button>
                )}
                {(step !== 'name' || mayStart) && (
                  <Button type="submit" busy={start.isPending} disabledReason={step === 'tasks' ? offline : null}>
                    {step === 'tasks' ? m.leader_wizard_create() : m.leader_wizard_next()}
                  </Button>
                )}
              </div>
            )}
          </form>
        </Card>
        {draft.made === null && <p className="text-tiny text-muted own-note">{m.leader_wizard_on_device()}</p>}
      </div>
      <Preview draft={draft} />
    </div>
  );
}

/** Creates the community, its settings and tasks, recording each: a failed run continues and repeats nothing. */
async function make(draft: WizardDraft, change: (part: Partial<WizardDraft>) => void): Promise<void> {
  const { keys } = draft;
  let { made, settingsMade } = draft;
  if (made === null) {
    const { id, slug, name } = await call('POST /api/communities', {
      body: communityOf(draft),
      // Another address is another command.
      idempotencyKey: await keyFor(keys.community, communityOf(draft)),
    });
    made = { id, slug, name };
    change({ made });
  }
  const params = { communityId: made.id };
  if (!settingsMade) {
    const body = { inviteThreshold: Number(draft.threshold) };
    await call('PATCH /api/communities/:communityId', { params, body, idempotencyKey: keys.settings });
    settingsMade = true;
    change({ settingsMade });
  }
  let { templatesMade } = draft;
  for (const { template, body, key } of tasksLeft(draft)) {
    const idempotencyKey = await keyFor(key, body);
    await call('POST /api/communities/:communityId/tasks', { params, body, idempotencyKey });
    templatesMade = [...templatesMade, template];
    change({ templatesMade });
  }
}

/** The key for one body under a stored key: retrying the same body is the same command. */
async function keyFor(stored: string, body: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(stored + JSON.stringify(body));
  const hash = [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))];
  const hex = hash.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The community's header and tasks, as members see them. */
function Preview({ draft }: { draft: WizardDraft }) {
  const name = draft.name.trim() || m.leader_wizard_untitled();
  const community: CommunitySummary = {
    id: draft.made?.id ?? 'preview',
    slug: slugOf(draft),
    name,
    description: draft.description,
    tags: [],
    languages: draft.languages,
    visibility: draft.visibility,
    members: 1,
    openTasks: draft.tasks.length,
    role: 'leader',
  };
  return (
    <Card className="form-editor__side">
      <p className="text-tiny text-muted">{m.leader_wizard_preview()}</p>
      <div className="flex-row wizard-preview-head">
        <CommunityAvatar name={name} size={48} />
        <div className="flex-grow">
          <h3>{name}</h3>
          <p className="text-tiny text-muted break-anywhere">{slugOf(draft) && `/${slugOf(draft)}/dashboard`}</p>
        </div>
      </div>
      {draft.description && <p className="text-small written-text">{draft.description}</p>}
      <div className="stack wizard-preview-list">
        {tasksOf(draft).map((task) => (
          <TaskPreview
            key={task.instructions}
            community={community}
            task={previewOf(
              {
                ...emptyDraft(0),
                setup: task.setup,
                title: task.title,
                points: String(task.points),
                recurrence: task.recurrence,
              },
              m.leader_task_title(),
            )}
            bare
          />
        ))}
      </div>
    </Card>
  );
}
