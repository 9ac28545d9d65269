import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import type { InputProblem } from '../../../server/contract/refusals.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import { changesOf } from '../../lib/changes.ts';
import { useDraft } from '../../lib/drafts.ts';
import { number } from '../../lib/format.ts';
import { HttpError } from '../../lib/http.ts';
import { serverWords } from '../../lib/server-words.ts';
import { m } from '../../paraglide/messages.js';
import { Button, type ButtonKind } from '../../ui/button.tsx';
import { showWrong } from '../../ui/field.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { wholeIn } from '../../ui/typed-number.ts';
import { Refused } from './command-parts.tsx';
import { useCommand, useNeedsConnection } from './use-command.ts';

/** The problem of a too short text, and of a text that is no whole number within its limits; null without one. */
export const shortProblem = (text: string, min: number): string | null =>
  seenLength(text) < min ? m.leader_title_short({ n: number(min) }) : null;
export function wholeProblem(text: string, min: 0 | 1, max: number): string | null {
  if (wholeIn(text, min, max) !== null) return null;
  return min === 0 ? m.leader_points_wrong({ n: number(max) }) : m.leader_from_one_wrong({ n: number(max) });
}

type Problems<Values> = { [Name in keyof Values]?: string | null };

/** The server's problems by field: of a path such as `rule.places`, the first part that names a field counts. */
function serverProblems(error: Error | null, values: object): { name: string | undefined; words: string }[] {
  if (!(error instanceof HttpError)) return [];
  const { problems, field } = (error.details ?? {}) as { problems?: InputProblem[]; field?: string };
  const found = problems?.map((problem) => ({ field: problem.field, details: { problems: [problem] } }));
  return (found ?? (field ? [{ field, details: error.details }] : [])).map(({ field, details }) => ({
    name: field.split('.').find((part) => part in values),
    words: serverWords({ reason: error.reason, message: error.message, details }),
  }));
}

/**
 * A form and its command. The values are the fields as typed, named as in the body. A field shows its problem after the
 * first try to send, a field of `atOnce` while typing. A problem of the server stays at its field until its value changes.
 */
export function useForm<Values extends object, Body, Result>(options: {
  /** The name of the draft that this device stores until the form is sent. */
  draft?: string;
  /** A function runs once, when the form opens. An object may change: unchanged fields follow it. */
  initial: Values | (() => Values);
  problems?: (values: Values) => Problems<Values>;
  atOnce?: readonly (keyof Values)[];
  /** Why the form cannot be sent yet; the button shows it. */
  blocked?: (values: Values) => string | null;
  /** `pressed`: the value of the pressed button, where several can send. */
  body: (values: Values, pressed: string) => Body;
  /** `before`: the body of the unchanged form. Null: the device could not store the command, and the values stay. */
  send: (body: Body, idempotencyKey: string, before: Body) => Promise<Result | null>;
  done?: (result: Result, body: Body) => void;
  /** The command goes through the outbox and needs no connection. */
  isQueued?: boolean;
}) {
  const { initial } = options;
  const [opened] = useState<Values>(initial);
  const first = typeof initial === 'function' ? opened : initial;
  const { draft: changed, change, drop } = useDraft<Partial<Values>>(options.draft ?? null, {});
  const values: Values = { ...first, ...changed };
  const latest = useRef(changed);
  latest.current = changed;
  const sent = useRef({ values, changed });
  const isSending = useRef(false);
  const [tried, setTried] = useState(false);
  const offline = useNeedsConnection();
  const blocked = (options.isQueued ? null : offline) ?? options.blocked?.(values) ?? null;
  const command = useCommand(
    (body: Body, key) => options.send(body, key, options.body(first, '')),
    (result, body) => {
      if (result === null) return;
      // Values typed after sending are not sent yet.
      const later = changesOf(sent.current.changed, latest.current);
      drop();
      setTried(false);
      options.done?.(result, body);
      if (Object.keys(later).length > 0) change(later);
    },
    options.isQueued,
  );
  const problems: Problems<Values> = options.problems?.(values) ?? {};
  const refused = serverProblems(command.error, values);
  const drawn = new Set<unknown>();
  return {
    first,
    values,
    change,
    drop,
    blocked,
    tried,
    error: command.error,
    isPending: command.isPending,
    /** Whether a refusal has a part that no visible field shows. */
    isUnplaced: () => refused.length === 0 || refused.some(({ name }) => !drawn.has(name)),
    field<Name extends keyof Values>(name: Name) {
      drawn.add(name);
      const own = (tried || options.atOnce?.includes(name)) && problems[name];
      const isAsSent = values[name] === sent.current.values[name];
      return {
        value: values[name],
        error: own || (isAsSent && refused.find((problem) => problem.name === name)?.words) || null,
        onValue: (value: Values[Name]) => change({ [name]: value } as unknown as Partial<Values>),
      };
    },
    submit(element: HTMLFormElement, pressed: string) {
      showWrong(element, () => setTried(true));
      if (blocked !== null || isSending.current || Object.values(problems).some(Boolean)) return;
      sent.current = { values, changed };
      isSending.current = true;
      command.mutate(options.body(values, pressed), {
        onSettled: () => {
          isSending.current = false;
        },
      });
    },
  };
}

type Sending = Pick<ReturnType<typeof useForm>, 'submit' | 'blocked' | 'error' | 'isPending' | 'isUnplaced'>;

/** Fields, the refusal above the button, and the button. */
export function Form(
  props: {
    form: Sending;
    /** The button's label. */
    act: string;
    kind?: ButtonKind;
    icon?: IconName;
    /** The button is as wide as the fields. */
    isWide?: boolean;
    /** Further buttons, before Cancel. */
    more?: ReactNode;
    onLeave?: () => void;
    note?: string | false;
  } & Omit<ComponentProps<'form'>, 'onSubmit'>,
) {
  const { form, act, kind, icon, isWide, more, onLeave, note, children, ...rest } = props;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (form.error && element.current) showWrong(element.current, () => undefined);
  }, [form.error]);
  const send = (
    <Button
      type="submit"
      {...(kind && { kind })}
      {...(icon && { icon })}
      busy={form.isPending}
      disabledReason={form.blocked}
    >
      {act}
    </Button>
  );
  return (
    <form
      ref={element}
      className="form-stack"
      noValidate
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        const { submitter } = event.nativeEvent as SubmitEvent;
        form.submit(event.currentTarget, submitter instanceof HTMLButtonElement ? submitter.value : '');
      }}
    >
      {children}
      <Unplaced form={form} />
      {isWide ? (
        send
      ) : (
        <div className="actions">
          {send}
          {more}
          {onLeave && (
            <Button kind="words" onClick={onLeave}>
              {m.leader_cancel()}
            </Button>
          )}
        </div>
      )}
      {note && <p className="text-tiny text-muted">{note}</p>}
    </form>
  );
}

/** Rendered after the fields, which register while they render. */
const Unplaced = ({ form }: { form: Sending }) => form.isUnplaced() && <Refused error={form.error} />;
