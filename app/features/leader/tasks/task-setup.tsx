import './task-setup.css';
import { useState } from 'react';
import {
  INVITES_NEEDED_MAX,
  LINK_MAX,
  POLL_OPTIONS_MAX,
  QUIZ_EXPLANATION_MAX,
  QUIZ_OPTION_MAX,
  QUIZ_OPTIONS_MAX,
  QUIZ_QUESTION_MAX,
  QUIZ_QUESTIONS_MAX,
  URL_HOSTS_MAX,
} from '../../../../server/contract/limits.ts';
import type { TaskSetup } from '../../../../server/contract/tasks.ts';
import { fromLocal, toLocal } from '../../../lib/dates.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, TextArea } from '../../../ui/field.tsx';
import { WholeField } from '../../../ui/whole-field.tsx';
import { MoreFields } from './kind-fields.tsx';
import { PackFields } from './quiz-setup.tsx';
import { newId, newQuestion, type Problem } from './task-draft.ts';
import { TelegramFields } from './telegram-setup.tsx';
import { XFields } from './x-setup.tsx';

type Of<K extends TaskSetup['kind']> = Extract<TaskSetup, { kind: K }>;
type Props<S> = { communityId: string; setup: S; found: ReadonlySet<Problem>; onSetup: (setup: S) => void };

/** The fields that only one kind of task has. `found` are the problems that are told by now. */
export function SetupFields({ communityId, setup, found, onSetup }: Props<TaskSetup>) {
  switch (setup.kind) {
    case 'visit_link':
      return (
        <Field
          label={m.leader_setup_url()}
          hint={m.leader_setup_url_hint()}
          type="url"
          inputMode="url"
          maxLength={LINK_MAX}
          value={setup.url}
          error={found.has('link') ? m.leader_setup_url_wrong() : null}
          onValue={(url) => onSetup({ ...setup, url })}
        />
      );
    case 'submit_url':
      return <HostsField setup={setup} onSetup={onSetup} />;
    case 'submit_text':
      return (
        <Field
          label={m.leader_setup_min_length()}
          hint={m.leader_setup_min_length_hint()}
          inputMode="numeric"
          value={setup.minLength === undefined ? '' : String(setup.minLength)}
          onValue={(text) => {
            const minLength = Number(text.replace(/\D/g, ''));
            onSetup(minLength > 0 ? { ...setup, minLength: Math.min(minLength, 4_000) } : { kind: setup.kind });
          }}
        />
      );
    case 'quiz':
      return <QuizFields communityId={communityId} setup={setup} found={found} onSetup={onSetup} />;
    case 'poll':
      return <PollFields setup={setup} found={found} onSetup={onSetup} />;
    case 'invite':
      return (
        <WholeField
          label={m.leader_setup_needed()}
          hint={m.leader_setup_needed_hint()}
          min={1}
          max={INVITES_NEEDED_MAX}
          value={setup.needed}
          onValue={(needed) => onSetup({ ...setup, needed })}
        />
      );
    case 'telegram_join':
    case 'telegram_chat':
    case 'telegram_reaction':
      return <TelegramFields communityId={communityId} setup={setup} found={found} onSetup={onSetup} />;
    case 'telegram_event':
      return <EventFields setup={setup} found={found} onSetup={onSetup} />;
    case 'number':
    case 'date':
    case 'scale':
    case 'file':
    case 'partner':
      return <MoreFields setup={setup} found={found} onSetup={onSetup} />;
    case 'x_follow':
    case 'x_like':
    case 'x_repost':
    case 'x_reply':
    case 'x_quote':
    case 'x_post':
      return <XFields setup={setup} found={found} onSetup={onSetup} />;
    default:
      return null;
  }
}

/** Holds what is typed, so that a separator can be taken back too. */
function HostsField({ setup, onSetup }: Pick<Props<Of<'submit_url'>>, 'setup' | 'onSetup'>) {
  const [typed, setTyped] = useState(setup.hosts.join(', '));
  return (
    <Field
      label={m.leader_setup_hosts()}
      hint={m.leader_setup_hosts_hint({ n: number(URL_HOSTS_MAX) })}
      value={typed}
      autoCapitalize="none"
      spellCheck={false}
      onValue={(text) => {
        const hosts = text.split(/[,\s]+/).filter(Boolean);
        if (hosts.length > URL_HOSTS_MAX) return;
        setTyped(text);
        onSetup({ ...setup, hosts });
      }}
    />
  );
}

function QuizFields({ communityId, setup, found, onSetup }: Props<Of<'quiz'>>) {
  const { questions } = setup;
  type Question = (typeof questions)[number];
  const put = (id: string, change: Partial<Question>) =>
    onSetup({ ...setup, questions: questions.map((one) => (one.id === id ? { ...one, ...change } : one)) });
  return (
    <div className="form-stack">
      <PackFields communityId={communityId} setup={setup} onSetup={onSetup} />
      <WholeField
        label={m.leader_quiz_pass()}
        min={1}
        max={100}
        value={setup.passPercent}
        onValue={(passPercent) => onSetup({ ...setup, passPercent })}
      />
      {(found.has('question') || found.has('options')) && (
        <p className="quote" role="alert">
          {m.leader_quiz_wrong()}
        </p>
      )}
      {questions.map((question, index) => (
        <fieldset key={question.id} className="form-group">
          <legend>{m.leader_quiz_question({ n: number(index + 1) })}</legend>
          <TextArea
            label={m.leader_quiz_text()}
            rows={2}
            maxLength={QUIZ_QUESTION_MAX}
            value={question.text}
            onValue={(text) => put(question.id, { text })}
          />
          <p className="text-small text-muted">{m.leader_quiz_options_hint()}</p>
          {question.options.map((option, at) => (
            <div key={option.id} className="quiz-option">
              <label className="tick-box">
                <input
                  type="checkbox"
                  checked={question.correct.includes(option.id)}
                  aria-label={m.leader_quiz_right({ n: number(at + 1) })}
                  onChange={({ currentTarget }) =>
                    put(question.id, {
                      correct: currentTarget.checked
                        ? [...question.correct, option.id]
                        : question.correct.filter((id) => id !== option.id),
                    })
                  }
                />
              </label>
              <input
                className="field__input"
                aria-label={m.leader_quiz_option({ n: number(at + 1) })}
                maxLength={QUIZ_OPTION_MAX}
                value={option.text}
                onChange={({ currentTarget: { value } }) =>
                  put(question.id, {
                    options: question.options.map((one) => (one.id === option.id ? { ...one, text: value } : one)),
                  })
                }
              />
              {question.options.length > 2 && (
                <IconButton
                  icon="discard"
                  label={m.leader_quiz_drop_option({ n: number(at + 1) })}
                  onClick={() =>
                    put(question.id, {
                      options: question.options.filter((one) => one.id !== option.id),
                      correct: question.correct.filter((id) => id !== option.id),
                    })
                  }
                />
              )}
            </div>
          ))}
          <TextArea
            label={m.leader_quiz_explanation()}
            hint={m.leader_quiz_explanation_hint()}
            rows={2}
            maxLength={QUIZ_EXPLANATION_MAX}
            value={question.explanation ?? ''}
            onValue={(explanation) => put(question.id, { explanation })}
          />
          <div className="actions">
            {question.options.length < QUIZ_OPTIONS_MAX && (
              <Button
                kind="words"
                icon="plus"
                onClick={() => put(question.id, { options: [...question.options, { id: newId(), text: '' }] })}
              >
                {m.leader_quiz_add_option()}
              </Button>
            )}
            {questions.length > 1 && (
              <Button
                kind="words"
                icon="discard"
                onClick={() => onSetup({ ...setup, questions: questions.filter(({ id }) => id !== question.id) })}
              >
                {m.leader_quiz_drop()}
              </Button>
            )}
          </div>
        </fieldset>
      ))}
      {setup.pack === undefined && questions.length < QUIZ_QUESTIONS_MAX && (
        <Button kind="edge" icon="plus" onClick={() => onSetup({ ...setup, questions: [...questions, newQuestion()] })}>
          {m.leader_quiz_add()}
        </Button>
      )}
    </div>
  );
}

function PollFields({ setup, found, onSetup }: Omit<Props<Of<'poll'>>, 'communityId'>) {
  const { choices } = setup;
  return (
    <fieldset className="form-group">
      <legend>{m.leader_poll_choices()}</legend>
      {choices.map((choice, at) => (
        <div key={choice.id} className="quiz-option quiz-option--plain">
          <input
            className="field__input"
            aria-label={m.leader_poll_choice({ n: number(at + 1) })}
            maxLength={QUIZ_OPTION_MAX}
            value={choice.text}
            onChange={({ currentTarget: { value } }) =>
              onSetup({
                ...setup,
                choices: choices.map((one) => (one.id === choice.id ? { ...one, text: value } : one)),
              })
            }
          />
          {choices.length > 2 && (
            <IconButton
              icon="discard"
              label={m.leader_poll_drop({ n: number(at + 1) })}
              onClick={() => onSetup({ ...setup, choices: choices.filter(({ id }) => id !== choice.id) })}
            />
          )}
        </div>
      ))}
      {found.has('choices') && (
        <p className="quote" role="alert">
          {m.leader_poll_wrong()}
        </p>
      )}
      <label className="tick-line">
        <input
          type="checkbox"
          checked={setup.multiple}
          onChange={({ currentTarget }) => onSetup({ ...setup, multiple: currentTarget.checked })}
        />
        {m.leader_poll_multiple()}
      </label>
      {choices.length < POLL_OPTIONS_MAX && (
        <Button
          kind="words"
          icon="plus"
          onClick={() => onSetup({ ...setup, choices: [...choices, { id: newId(), text: '' }] })}
        >
          {m.leader_poll_add()}
        </Button>
      )}
    </fieldset>
  );
}

function EventFields({ setup, found, onSetup }: Omit<Props<Of<'telegram_event'>>, 'communityId'>) {
  return (
    <>
      <Field
        label={m.leader_event_place()}
        maxLength={200}
        value={setup.place}
        error={found.has('place') ? m.leader_event_place_wrong() : null}
        onValue={(place) => onSetup({ ...setup, place })}
      />
      <div className="two-columns">
        <Field
          label={m.leader_event_starts()}
          type="datetime-local"
          value={toLocal(setup.startsAt)}
          onValue={(text) => onSetup({ ...setup, startsAt: fromLocal(text) ?? setup.startsAt })}
        />
        <Field
          label={m.leader_event_ends()}
          type="datetime-local"
          value={toLocal(setup.endsAt)}
          error={
            found.has('event_times')
              ? m.leader_event_times_wrong()
              : found.has('event_over')
                ? m.leader_season_end_wrong()
                : null
          }
          onValue={(text) => onSetup({ ...setup, endsAt: fromLocal(text) ?? setup.endsAt })}
        />
      </div>
    </>
  );
}
