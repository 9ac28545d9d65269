import type { RegisteredRouter, RouteById, RouteIds } from '@tanstack/react-router';

type Tree = RegisteredRouter['routeTree'];
/** Paths of the app's pages, as its table of routes writes them. */
export type Path = Exclude<RouteIds<Tree>, '__root__' | '/$' | `/${string}/`>;
/** A page with rooms takes the parameters of its first one. */
type TypesOf<To extends Path> = (`${To}/` extends RouteIds<Tree>
  ? RouteById<Tree, `${To}/`>
  : RouteById<Tree, To>)['types'];
export type SearchOf<To extends Path> = TypesOf<To>['fullSearchSchema'];

type ParamsIn<Params> = [keyof Params] extends [never] ? { params?: never } : { params: Params };
type SearchIn<Search> = [keyof Search] extends [never]
  ? { search?: never }
  : Record<never, never> extends Search
    ? { search?: Search }
    : { search: Search };

/** Target of a link inside the app: a page, its address parameters and its query. */
export type TargetOf<To extends Path> = To extends Path
  ? { to: To; hash?: string } & ParamsIn<TypesOf<To>['allParams']> & SearchIn<TypesOf<To>['fullSearchSchemaInput']>
  : never;
export type Target = TargetOf<Path>;
/** Pages whose address is fixed. */
export type PageWithoutParams = Exclude<Path, `${string}$${string}`>;
