import type { ISql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import { LINK_MAX, PLANNED_WITHIN_MS } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import type { Conditions, Schedule, TaskSetup } from '../../contract/tasks.ts';
import { messageOf } from '../../domain/chat-membership.ts';
import { flat } from '../../domain/gate-facts.ts';
import { checkDate } from '../../domain/kinds/date.ts';
import { invalid } from '../../domain/kinds/judged.ts';
import { checkNumber } from '../../domain/kinds/number.ts';
import { checkScale } from '../../domain/kinds/scale.ts';
import { line, prose } from '../../domain/text.ts';
import { webAddress } from '../../domain/web-address.ts';
import { checkPartner } from './partner-keys.ts';

const HOST = /^(?=.{3,253}$)([a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/;

const NO_WEB_ADDRESS = `A link begins with https:// or http://, names a site as example.org without a password, and has at most ${LINK_MAX} characters.`;

/**
 * A link's host in its comparable form: other scripts as `xn--`, which also distinguishes look-alikes on screen. Null
 * for anything else.
 */
function hostOf(text: string): string | null {
  const address = `https://${text}`;
  const host = URL.canParse(address) ? new URL(address).hostname : '';
  // Nothing beside the name: no port, path or password.
  return HOST.test(host) && new URL(address).href === `https://${host}/` ? host : null;
}

const areDistinct = (items: readonly { id: string }[]): boolean =>
  new Set(items.map(({ id }) => id)).size === items.length;

/**
 * The setup as stored: displayable text, working links, answers among the options. Throws 400 `INVALID_INPUT`, 422
 * `URL_NOT_ALLOWED` and `DATE_OUT_OF_RANGE`.
 */
export function checkSetup(setup: TaskSetup, now: Date): TaskSetup {
  switch (setup.kind) {
    case 'visit_link': {
      const url = webAddress(setup.url);
      if (url === null)
        throw new HttpError(422, 'URL_NOT_ALLOWED', NO_WEB_ADDRESS, {
          details: { field: 'setup.url', needs: 'web' } satisfies ErrorDetails['URL_NOT_ALLOWED'],
        });
      return { ...setup, url: url.href };
    }
    case 'quiz':
      return checkQuiz(setup);
    case 'submit_url': {
      const hosts = setup.hosts.map(
        (host) => hostOf(host) ?? invalid('setup.hosts', 'other', `${host.slice(0, 60)} is no host name`),
      );
      return { ...setup, hosts: [...new Set(hosts)] };
    }
    case 'poll':
      if (!areDistinct(setup.choices)) invalid('setup.choices', 'twice', 'two choices have the same id');
      return { ...setup, choices: setup.choices.map(({ id, text }) => ({ id, text: line('setup.choices', text) })) };
    case 'telegram_reaction':
      if (messageOf(setup.link) === null) {
        const message = 'Paste the link of a message, as https://t.me/c/1234567890/42.';
        throw new HttpError(422, 'MESSAGE_NOT_HERE', message, {
          details: { field: 'setup.link' } satisfies ErrorDetails['MESSAGE_NOT_HERE'],
        });
      }
      return setup;
    case 'telegram_event':
      checkDates([setup.startsAt, setup.endsAt], now);
      if (new Date(setup.startsAt) >= new Date(setup.endsAt))
        invalid('setup.endsAt', 'order', 'must lie after the beginning');
      return { ...setup, place: line('setup.place', setup.place) };
    case 'number':
      return checkNumber(setup);
    case 'date':
      return checkDate(setup);
    case 'scale':
      return checkScale(setup);
    case 'partner':
      return checkPartner(setup);
    case 'x_like':
    case 'x_repost':
    case 'x_reply':
    case 'x_quote':
      return { ...setup, about: prose('setup.about', setup.about) };
    case 'x_post':
      if (setup.text === '' && setup.hashtag === '' && setup.about === '')
        invalid('setup.about', 'missing', 'say what to post: a text, a hashtag, or your own words');
      return { ...setup, text: prose('setup.text', setup.text), about: prose('setup.about', setup.about) };
    default:
      return setup;
  }
}

function checkQuiz(setup: Extract<TaskSetup, { kind: 'quiz' }>): TaskSetup {
  const { pack } = setup;
  if ((pack === undefined) === (setup.questions.length === 0))
    invalid('setup.questions', 'missing', 'a quiz has its own questions, or a pack to draw them from');
  if (!areDistinct(setup.questions)) invalid('setup.questions', 'twice', 'two questions have the same id');
  const questions = setup.questions.map((question) => {
    const { id, text, options, correct, explanation } = question;
    if (!areDistinct(options)) invalid('setup.questions', 'twice', `two options of ${id} have the same id`);
    const ids = new Set(options.map((option) => option.id));
    if (new Set(correct).size !== correct.length)
      invalid('setup.questions', 'twice', `a right option of ${id} is named twice`);
    if (!correct.every((one) => ids.has(one))) {
      invalid('setup.questions', 'other', `the right options of ${id} are not among its options`);
    }
    return {
      id,
      text: prose('setup.questions', text),
      options: options.map((option) => ({ id: option.id, text: line('setup.questions', option.text) })),
      correct,
      ...(explanation === undefined ? {} : { explanation: prose('setup.questions', explanation) }),
    };
  });
  return { ...setup, questions };
}

/** Throws 422 `DATE_OUT_OF_RANGE` for a date too far from now, 400 for a task that closes before it opens. */
export function checkSchedule({ opensAt, closesAt }: Schedule, now: Date): void {
  checkDates([opensAt, closesAt], now);
  if (opensAt !== null && closesAt !== null && new Date(opensAt) >= new Date(closesAt)) {
    invalid('schedule.closesAt', 'order', 'must lie after the opening');
  }
}

function checkDates(dates: readonly (string | null)[], now: Date): void {
  for (const date of dates) {
    // An invalid date fails the comparison.
    if (date === null || Math.abs(new Date(date).getTime() - now.getTime()) <= PLANNED_WITHIN_MS) continue;
    throw new HttpError(422, 'DATE_OUT_OF_RANGE', 'Choose a date within two years of today.', {
      details: { field: 'date' } satisfies ErrorDetails['DATE_OUT_OF_RANGE'],
    });
  }
}

/**
 * Conditions may name only tasks of this community and must not form a circle or exclude every time. Must run in a
 * transaction that locks the community's row. Throws 422 `CONDITION_UNKNOWN_TASK`, `CONDITIONS_CIRCLE` and
 * `DATE_OUT_OF_RANGE`, 400 `INVALID_INPUT`.
 */
export async function checkConditions(
  sql: ISql,
  communityId: string,
  { taskId, conditions, now }: { taskId: string | null; conditions: Conditions | null; now: Date },
): Promise<void> {
  const parts = flat(conditions);
  checkDates(
    parts.flatMap((one) => (one.is === 'date' ? [one.from, one.until] : [])),
    now,
  );
  for (const one of parts) {
    if (one.is !== 'date' || one.from === null || one.until === null) continue;
    if (new Date(one.from) >= new Date(one.until)) invalid('conditions', 'order', 'a date must end after it begins');
  }
  const named = namedBy(conditions);
  if (named.length === 0) return;
  const rows = await sql<{ id: string; conditions: Conditions | null }[]>`
    select id, conditions from tasks where community_id = ${communityId} and (conditions is not null or id = any(${named}))`;
  const tasks = new Map(rows.map((row) => [row.id, namedBy(row.conditions)]));
  if (!named.every((id) => tasks.has(id))) {
    throw new HttpError(422, 'CONDITION_UNKNOWN_TASK', 'A condition names a task that is not one of this community.');
  }
  const seen = new Set<string>();
  const open = [...named];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === taskId)
      throw new HttpError(422, 'CONDITIONS_CIRCLE', 'These conditions wait for each other in a circle.');
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(tasks.get(id) ?? []));
  }
}

const namedBy = (conditions: Conditions | null): string[] =>
  flat(conditions).flatMap((one) => (one.is === 'task' ? [one.taskId.toLowerCase()] : []));
