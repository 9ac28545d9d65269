import type { ISql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import { QUIZ_MISSES_FROM_MEMBERS, QUIZ_PACKS_PER_COMMUNITY } from '../../contract/limits.ts';
import type {
  NewQuizPack,
  OwnQuizPack,
  QuizDraw,
  QuizMiss,
  QuizPackSummary,
  QuizQuestion,
} from '../../contract/quiz.ts';
import { isRight } from '../../contract/quiz-grade.ts';
import { isId } from '../../domain/ids.ts';
import { line, prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';
import { bank, findPack, ownRef, shippedRef } from './bank.ts';
import type { Drawn } from './draw.ts';

type By = { communityId: string; userId: string; now: Date };
type Row = Omit<OwnQuizPack, 'changedAt'> & { changedAt: Date };
const packOf = (row: Row): OwnQuizPack => ({ ...row, changedAt: row.changedAt.toISOString() });

/** Tasks of a community that draw from a pack `ref`, archived ones too: they may be copied. */
const tasksOf = (sql: ISql, communityId: ReturnType<ISql> | string, ref: ReturnType<ISql> | string) => sql`
  select t.id, (t.config -> 'pack' ->> 'count')::int as count from tasks t
  where t.community_id = ${communityId} and t.kind = 'quiz' and t.config -> 'pack' ->> 'ref' = ${ref}`;

/** Our packs and the community's own, without a question of theirs. */
export async function listPacks(sql: ISql, communityId: string): Promise<QuizPackSummary[]> {
  const own = await sql<(Omit<QuizPackSummary, 'changedAt' | 'tasks'> & { changedAt: Date })[]>`
    select 'own:' || id as ref, title, about, language, jsonb_array_length(questions) as questions,
      changed_at as "changedAt"
    from quiz_packs where community_id = ${communityId} order by created_at, id`;
  const used = await sql<{ ref: string; tasks: number }[]>`
    select config -> 'pack' ->> 'ref' as ref, count(*)::int as tasks from tasks
    where community_id = ${communityId} and kind = 'quiz' and config ? 'pack' group by 1`;
  const tasks = (ref: string) => used.find((one) => one.ref === ref)?.tasks ?? 0;
  const shipped = [...bank.values()].map((pack) => ({
    ref: shippedRef(pack.id),
    title: pack.title,
    about: pack.about,
    language: pack.language,
    questions: pack.questions.length,
    tasks: tasks(shippedRef(pack.id)),
    changedAt: null,
  }));
  return [...own.map((row) => ({ ...row, tasks: tasks(row.ref), changedAt: row.changedAt.toISOString() })), ...shipped];
}

/** A pack with its keys, for its leaders. Throws 404 `NOT_FOUND`. */
export async function readPack(sql: ISql, communityId: string, packId: string, hold = false): Promise<OwnQuizPack> {
  const [row] = isId(packId)
    ? await sql<Row[]>`
        select p.id, p.title, p.about, p.language, p.questions, p.changed_at as "changedAt",
          (select count(*)::int from (${tasksOf(sql, communityId, sql`'own:' || p.id`)}) used) as tasks
        from quiz_packs p where p.id = ${packId} and p.community_id = ${communityId} ${hold ? sql`for update` : sql``}`
    : [];
  if (!row) throw notFound('pack');
  return packOf(row);
}

/** Adds a pack. Throws 409 `PACK_LIMIT` and 400 `INVALID_INPUT` for text that cannot be shown. */
export async function addPack(tx: TransactionSql, by: By, given: NewQuizPack): Promise<OwnQuizPack> {
  const { communityId, userId, now } = by;
  const { title, about, language, questions } = storable(given);
  await tx`select from communities where id = ${communityId} for no key update`;
  const [held] = await tx<[{ count: number }]>`
    select count(*)::int from quiz_packs where community_id = ${communityId}`;
  if (held.count >= QUIZ_PACKS_PER_COMMUNITY)
    throw new HttpError(
      409,
      'PACK_LIMIT',
      `A community has at most ${QUIZ_PACKS_PER_COMMUNITY} packs. Delete one first.`,
      { details: { limit: QUIZ_PACKS_PER_COMMUNITY } },
    );
  const [row] = await tx<{ id: string }[]>`
    insert into quiz_packs (community_id, title, about, language, questions, created_by, created_at, changed_at)
    values (${communityId}, ${title}, ${about}, ${language}, ${tx.json(questions)}, ${userId}, ${now}, ${now}) returning id`;
  if (!row) throw new Error('an insert returned nothing');
  await audited(tx, by, 'quiz_pack.added', title, row.id);
  return readPack(tx, communityId, row.id);
}

/**
 * Replaces a pack. Throws 404 `NOT_FOUND`, 409 `PACK_IN_USE` where a task draws more questions than it would have, and
 * 400 as `addPack` does.
 */
export async function changePack(tx: TransactionSql, by: By, packId: string, given: NewQuizPack): Promise<OwnQuizPack> {
  const { communityId, now } = by;
  const { id } = await readPack(tx, communityId, packId, true);
  const { title, about, language, questions } = storable(given);
  const [needs] = await tx<[{ count: number | null }]>`
    select max(count) as count from (${tasksOf(tx, communityId, ownRef(id))}) used`;
  if ((needs.count ?? 0) > questions.length)
    throw new HttpError(
      409,
      'PACK_IN_USE',
      `A task draws ${needs.count} questions from this pack: it needs that many.`,
      { details: { count: needs.count } },
    );
  await tx`
    update quiz_packs set title = ${title}, about = ${about}, language = ${language}, questions = ${tx.json(questions)},
      changed_at = ${now} where id = ${id}`;
  await audited(tx, by, 'quiz_pack.changed', title, id);
  return readPack(tx, communityId, id);
}

/** Deletes a pack. Throws 404 `NOT_FOUND`, 409 `PACK_IN_USE` while a task draws from it. */
export async function removePack(tx: TransactionSql, by: By, packId: string): Promise<void> {
  const { id, title, tasks } = await readPack(tx, by.communityId, packId, true);
  if (tasks > 0) throw new HttpError(409, 'PACK_IN_USE', 'A task draws from this pack, so it stays.');
  await tx`delete from quiz_packs where id = ${id}`;
  await audited(tx, by, 'quiz_pack.removed', title, id);
}

const audited = (tx: TransactionSql, { communityId, userId, now }: By, action: string, subject: string, id: string) =>
  audit(tx, { communityId, actorId: userId, action, subject, subjectId: id, at: now });

/** The pack with text that can be shown. Throws 400 `INVALID_INPUT`. */
function storable(given: NewQuizPack): NewQuizPack {
  return {
    title: line('title', given.title),
    about: prose('about', given.about),
    language: given.language,
    questions: given.questions.map(storableQuestion),
  };
}
function storableQuestion(question: QuizQuestion): QuizQuestion {
  const entries = (of: readonly { id: string; text: string }[]) =>
    of.map(({ id, text }) => ({ id, text: line(`questions.${question.id}`, text) }));
  const field = `questions.${question.id}`;
  const common = {
    text: prose(field, question.text),
    explanation: prose(field, question.explanation),
    ...(question.source && { source: { ...question.source, title: line(field, question.source.title) } }),
  };
  switch (question.kind) {
    case 'single':
    case 'multiple':
      return { ...question, ...common, options: entries(question.options) };
    case 'ordering':
      return { ...question, ...common, items: entries(question.items) };
    case 'matching':
      return { ...question, ...common, left: entries(question.left), right: entries(question.right) };
    case 'number':
      return { ...question, ...common, ...(question.unit && { unit: line(field, question.unit) }) };
  }
}

/**
 * What a quiz task draws from, with the pack's title. Holds an own pack as it is until the task is written. Throws 422
 * `PACK_UNKNOWN` for one that is not there or is another community's, and `PACK_TOO_SMALL`.
 */
export async function checkDraw(tx: ISql, communityId: string, given: QuizDraw): Promise<QuizDraw> {
  const [from, id = ''] = given.ref.split(':');
  if (from === 'own' && isId(id)) await tx`select from quiz_packs where id = ${id} for share`;
  const pack = await findPack(tx, communityId, given.ref);
  if (!pack) throw new HttpError(422, 'PACK_UNKNOWN', 'There is no such pack here. Choose another one.');
  if (pack.questions.length < given.count)
    throw new HttpError(422, 'PACK_TOO_SMALL', `This pack has ${pack.questions.length} questions to draw from.`, {
      details: { count: pack.questions.length },
    });
  return { ref: given.ref, title: pack.title, count: given.count };
}

type Graded = { pack: string; title: string; userId: string; questions: Drawn[]; answers: unknown };
/** Graded attempts that are counted: the latest ones of a community. */
const MISSES_COUNTED = 2_000;
/** Questions that are shown: the most missed of all packs. */
const MISSES_SHOWN = 100;

/**
 * How often each question was used in this community's tasks, and how often it was missed, most missed first. Of our
 * own packs only questions with enough members: otherwise two accounts of one person would reveal an answer.
 */
export async function listMisses(sql: ISql, communityId: string): Promise<QuizMiss[]> {
  const attempts = await sql<Graded[]>`
    select pack, title, user_id as "userId", questions, answers from quiz_attempts
    where community_id = ${communityId} and graded_at is not null order by graded_at desc limit ${MISSES_COUNTED}`;
  const found = new Map<string, QuizMiss & { members: Set<string> }>();
  for (const { pack, title, userId, questions, answers } of attempts) {
    const given = Array.isArray(answers) ? answers : [];
    for (const { of, question } of questions) {
      const key = `${pack} ${of}`;
      const entry = found.get(key) ?? {
        ref: pack,
        pack: title,
        text: question.text,
        shown: 0,
        missed: 0,
        members: new Set<string>(),
      };
      found.set(key, entry);
      entry.shown += 1;
      entry.members.add(userId);
      if (
        !isRight(
          question,
          given.find(({ questionId }) => questionId === question.id),
        )
      )
        entry.missed += 1;
    }
  }
  return [...found.values()]
    .filter(({ ref, members }) => ref.startsWith('own:') || members.size >= QUIZ_MISSES_FROM_MEMBERS)
    .sort((a, b) => b.missed / b.shown - a.missed / a.shown || b.shown - a.shown)
    .slice(0, MISSES_SHOWN)
    .map(({ members: _, ...miss }) => miss);
}
