import type { Access, ParamNames } from '../../../../server/contract/route.ts';
import type { BodyOf, Key, OutputOf, QueryOf, Routes } from '../../../../server/contract/routes.ts';
import type { Asker, Community } from './world.ts';

/** A request as a route's handler gets it. `community` is set only if the path names one. */
type DemoCall<K extends Key> = {
  asker: Asker;
  community: Community;
  params: Record<ParamNames<K>, string>;
  query: NonNullable<QueryOf<K>>;
  body: BodyOf<K>;
};
type Answer<K extends Key> = (call: DemoCall<K>) => OutputOf<K> | Promise<OutputOf<K>>;
/** Contract routes with these access rules, each with a handler in the contract's shape. */
export type AnswersFor<A extends Access> = {
  readonly [K in Key as Routes[K]['access'] extends A ? K : never]?: Answer<K>;
};
/** A handler after its route is chosen. */
export type AnyAnswer = (call: {
  asker: Asker;
  community: Community;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}) => unknown;

/** Everything in one page: the demo's lists are short. */
export const onePage = <Item>(items: Item[]): { items: Item[]; next: null } => ({ items, next: null });
