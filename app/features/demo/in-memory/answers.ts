import type { Access, ParamNames } from '../../../../server/contract/route.ts';
import type { BodyOf, Key, OutputOf, QueryOf, Routes } from '../../../../server/contract/routes.ts';
import type { Asker, Community } from './world.ts';

/** A request as it comes to who answers it. `community` is the one that the path names, and only there. */
type DemoCall<K extends Key> = {
  asker: Asker;
  community: Community;
  params: Record<ParamNames<K>, string>;
  query: NonNullable<QueryOf<K>>;
  body: BodyOf<K>;
};
type Answer<K extends Key> = (asked: DemoCall<K>) => OutputOf<K> | Promise<OutputOf<K>>;
/** Routes of the contract that are for these people, each answered in the contract's own shape. */
export type AnswersFor<A extends Access> = {
  readonly [K in Key as Routes[K]['access'] extends A ? K : never]?: Answer<K>;
};
/** Any of them, once its route is chosen. */
export type AnyAnswer = (asked: {
  asker: Asker;
  community: Community;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}) => unknown;

/** One page that holds all: the demo has no list that is longer. */
export const onePage = <Item>(items: Item[]): { items: Item[]; next: null } => ({ items, next: null });
