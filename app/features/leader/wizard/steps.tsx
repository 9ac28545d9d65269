import { wholeIn } from '../../../ui/typed-number.ts';
import '../parts/secret.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  COMMUNITY_DESCRIPTION_MAX,
  COMMUNITY_NAME_MAX,
  COMMUNITY_RULES_MAX,
  INVITE_THRESHOLD_MAX,
  LINK_MAX,
  SLUG_MAX,
  SLUG_MIN,
  TASK_POINTS_MAX,
  TASK_TITLE_MAX,
} from '../../../../server/contract/limits.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import type { User } from '../../../../server/contract/user.ts';
import { kindWord } from '../../../kinds/kinds.ts';
import { copyText } from '../../../lib/browser.ts';
import { number } from '../../../lib/format.ts';
import { product } from '../../../lib/product.ts';
import { read } from '../../../lib/query.ts';
import { type SlugProblem, slugProblem } from '../../../lib/slug.ts';
import { m } from '../../../paraglide/messages.js';
import { recurrenceWord } from '../../../shared/tasks/words.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Field, Select, TextArea } from '../../../ui/field.tsx';
import { Reading } from '../../../ui/states.tsx';
import { Chats } from '../parts/chats.tsx';
import { Languages } from '../parts/languages.tsx';
import { tagsIn, tagsWrong } from '../parts/tags.ts';
import { TEMPLATES } from './templates.ts';
import {
  descriptionRoom,
  FIRST_TASKS,
  firstTaskOf,
  slugOf,
  type WizardDraft,
  type WizardProblem,
} from './wizard-draft.ts';

type Props = {
  draft: WizardDraft;
  found: ReadonlySet<WizardProblem>;
  onChange: (part: Partial<WizardDraft>) => void;
};

/** On entering a step its heading takes the focus, so it is read out and the keyboard continues from it. */
function Head({ title, line }: { title: string; line?: string }) {
  return (
    <div>
      <h2 tabIndex={-1}>{title}</h2>
      {line && <p className="text-small text-muted">{line}</p>}
    </div>
  );
}

/** Replaces the first step for a person who may not start a community yet. */
export function NotYet() {
  return (
    <>
      <Head title={m.leader_wizard_you_title()} line={m.leader_wizard_you_missing()} />
      <ButtonLink to="/community-leader-signup">{m.leader_wizard_you_see()}</ButtonLink>
    </>
  );
}

export function NameStep({ user, draft, found, onChange, taken }: Props & { user: User; taken: string | null }) {
  const slug = slugOf(draft);
  const wrong = slugProblem(slug, product.slug);
  return (
    <>
      <Head title={m.leader_wizard_name_title()} line={m.leader_wizard_you_line({ who: user.displayName })} />
      <Field
        label={m.member_start_name()}
        value={draft.name}
        maxLength={COMMUNITY_NAME_MAX}
        autoComplete="off"
        error={found.has('name') ? m.member_name_short() : null}
        onValue={(name) => onChange({ name })}
      />
      <Field
        label={m.member_start_slug()}
        hint={slug === '' ? m.member_start_slug_hint() : `${location.host}/${slug}/dashboard`}
        error={taken ?? (wrong !== null && (slug !== '' || found.has('slug')) ? slugWords(wrong) : null)}
        value={slug}
        maxLength={SLUG_MAX}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onValue={(value) => onChange({ slug: value.toLowerCase() })}
      />
      <TextArea
        label={m.member_start_about()}
        hint={m.member_start_about_hint()}
        value={draft.description}
        maxLength={descriptionRoom(draft)}
        onValue={(description) => onChange({ description })}
      />
      <Field
        label={m.member_start_tags()}
        hint={m.member_start_tags_hint()}
        error={found.has('tags') ? tagsWrong(tagsIn(draft.tags)) : null}
        value={draft.tags}
        onValue={(tags) => onChange({ tags })}
      />
      <Languages values={draft.languages} onValues={(languages) => onChange({ languages })} />
      <Select
        label={m.member_start_visibility()}
        hint={
          draft.visibility === 'public'
            ? m.member_start_public_hint({ explore: m.shell_explore() })
            : m.member_start_private_hint()
        }
        options={[
          { value: 'public', label: m.member_visibility_public() },
          { value: 'private', label: m.member_visibility_private() },
        ]}
        value={draft.visibility}
        onValue={(visibility) => onChange({ visibility })}
      />
    </>
  );
}

export function TelegramStep({ draft, found, onChange }: Props) {
  return (
    <>
      <Head title={m.leader_wizard_telegram_title()} line={m.leader_wizard_telegram_line()} />
      <Field
        label={m.leader_wizard_telegram_link()}
        hint={m.leader_wizard_telegram_link_hint()}
        type="url"
        inputMode="url"
        maxLength={LINK_MAX}
        value={draft.chat}
        error={
          found.has('chat')
            ? m.leader_wizard_telegram_wrong()
            : found.has('description')
              ? m.leader_wizard_telegram_long({ n: number(COMMUNITY_DESCRIPTION_MAX) })
              : null
        }
        onValue={(chat) => onChange({ chat })}
      />
    </>
  );
}

export function RulesStep({ draft, found, onChange }: Props) {
  return (
    <>
      <Head title={m.leader_wizard_rules_title()} />
      <TextArea
        label={m.leader_rules()}
        hint={m.leader_rules_hint()}
        rows={5}
        value={draft.rules}
        maxLength={COMMUNITY_RULES_MAX}
        onValue={(rules) => onChange({ rules })}
      />
      {draft.rules === '' && (
        <Button kind="words" icon="text" onClick={() => onChange({ rules: m.leader_wizard_rules_sample() })}>
          {m.leader_wizard_rules_use()}
        </Button>
      )}
      <Field
        label={m.leader_invite_threshold()}
        hint={m.leader_invite_threshold_hint()}
        inputMode="numeric"
        value={draft.threshold}
        error={found.has('threshold') ? m.leader_points_wrong({ n: number(INVITE_THRESHOLD_MAX) }) : null}
        onValue={(threshold) => onChange({ threshold })}
      />
      <p className="text-small text-muted">{m.leader_wizard_points_line()}</p>
    </>
  );
}

export function TasksStep({ draft, found, onChange }: Props) {
  return (
    <>
      <Head title={m.leader_wizard_tasks_title()} line={m.leader_wizard_tasks_line()} />
      <ul className="stack">
        {TEMPLATES.map((template) => {
          const chosen = draft.tasks.find((one) => one.template === template.id);
          const put = (part: { title?: string; points?: string }) =>
            onChange({
              tasks: draft.tasks.map((one) => (one.template === template.id ? { ...one, ...part } : one)),
            });
          return (
            <li key={template.id} className="form-group">
              <label className="tick-line">
                <input
                  type="checkbox"
                  checked={chosen !== undefined}
                  onChange={({ currentTarget }) =>
                    onChange({
                      tasks: currentTarget.checked
                        ? [...draft.tasks, firstTaskOf(template)]
                        : draft.tasks.filter((one) => one.template !== template.id),
                    })
                  }
                />
                <span>
                  <b>{template.title()}</b>{' '}
                  <span className="text-small text-muted">
                    {kindWord(template.task.setup.kind)} · {recurrenceWord(template.task.recurrence)}
                  </span>
                </span>
              </label>
              {chosen && (
                <div className="two-columns two-columns--points">
                  <Field
                    label={m.leader_task_title()}
                    value={chosen.title}
                    maxLength={TASK_TITLE_MAX}
                    error={
                      found.has('task') && seenLength(chosen.title) < 3 ? m.leader_title_short({ n: number(3) }) : null
                    }
                    onValue={(title) => put({ title })}
                  />
                  <Field
                    label={m.leader_task_points()}
                    inputMode="numeric"
                    value={chosen.points}
                    error={
                      found.has('task') && wholeIn(chosen.points, 0, TASK_POINTS_MAX) === null
                        ? m.leader_points_wrong({ n: number(TASK_POINTS_MAX) })
                        : null
                    }
                    onValue={(points) => put({ points })}
                  />
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {draft.tasks.length !== FIRST_TASKS && (
        <p className="text-small text-muted">{m.leader_wizard_tasks_count({ n: number(draft.tasks.length) })}</p>
      )}
      <p className="text-small text-muted">{m.leader_wizard_create_line()}</p>
    </>
  );
}

export function InviteStep(props: { made: { id: string; slug: string; name: string }; onAgain: () => void }) {
  const { made } = props;
  const invite = useQuery(read('GET /api/communities/:communityId/invite', { communityId: made.id }));
  return (
    <>
      <Head title={m.leader_wizard_made({ community: made.name })} line={m.leader_wizard_made_line()} />
      <Reading query={invite}>{({ url }) => <InviteLink url={url} name={made.name} />}</Reading>
      <Chats communityId={made.id} />
      <div className="actions">
        <ButtonLink to="/community/$communityId/admin/tasks" params={{ communityId: made.slug }} icon="review">
          {m.leader_wizard_open()}
        </ButtonLink>
        <Button kind="words" onClick={props.onAgain}>
          {m.leader_wizard_again()}
        </Button>
      </div>
    </>
  );
}

function InviteLink({ url, name }: { url: string; name: string }) {
  const [copied, setCopied] = useState(false);
  async function share() {
    try {
      if ('share' in navigator) await navigator.share({ title: name, url });
      else setCopied(await copyText(url));
    } catch {
      // Cancelled or not allowed: the link is beside it to copy.
    }
  }
  return (
    <div className="field">
      <span className="text-small">
        <b>{m.leader_wizard_invite_link()}</b>
      </span>
      <output className="break-anywhere secret-card__text">{url}</output>
      <Button kind="edge" icon={copied ? 'check' : 'send'} onClick={() => void share()}>
        {copied ? m.leader_wizard_invite_copied() : m.leader_wizard_share()}
      </Button>
    </div>
  );
}

const WORDS: Record<SlugProblem, () => string> = {
  short: () => m.member_slug_short({ n: number(SLUG_MIN) }),
  long: () => m.member_slug_long({ n: number(SLUG_MAX) }),
  characters: m.member_slug_characters,
  hyphens: m.member_slug_hyphens,
  numeric: m.member_slug_numeric,
  reserved: m.member_slug_reserved,
};
/** Why an address cannot be used, and what would be valid. */
const slugWords = (problem: SlugProblem): string => WORDS[problem]();
