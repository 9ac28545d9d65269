/// <reference types="vite/types/importMeta.d.ts" />
import type { ISql } from 'postgres';
import type { QuizPack, QuizQuestion } from '../../contract/quiz.ts';
import { isId } from '../../domain/ids.ts';

const files = import.meta.glob<QuizPack>('./bank/*.json', { import: 'default', eager: true });

/**
 * The graded questions of the product's own packs, by id: others than those of practice, which have their keys on every
 * device. They are built into the server alone.
 */
export const bank = new Map<string, QuizPack>(Object.values(files).map((pack) => [pack.id, pack]));

export const shippedRef = (id: string): string => `shipped:${id}`;
export const ownRef = (id: string): string => `own:${id}`;

export type FoundPack = { title: string; questions: QuizQuestion[] };

/** A pack with its keys: one of ours, or of this community. Null for any other's. */
export async function findPack(sql: ISql, communityId: string | null, ref: string): Promise<FoundPack | null> {
  const [from, id = ''] = ref.split(':');
  if (from === 'shipped') return bank.get(id) ?? null;
  if (communityId === null || !isId(id)) return null;
  const [own] = await sql<FoundPack[]>`
    select title, questions from quiz_packs where id = ${id} and community_id = ${communityId}`;
  return own ?? null;
}
