import * as z from 'zod/mini';
import { seenLength } from './seen-length.ts';

/** Text of people: trimmed, then held to its length. */
export const trimmed = (min: number, max: number) => z.string().check(z.trim(), z.minLength(min), z.maxLength(max));
/** Text with content: `min` counts visible characters, like every minimum length. */
export const worded = (min: number, max: number) =>
  z.string().check(
    z.trim(),
    z.minLength(min, { abort: true }),
    z.maxLength(max),
    z.refine((text) => seenLength(text) >= min, `Too small: expected string to show >=${min} characters`),
  );
/** An instant, ISO 8601 with its offset. */
export const instant = z.iso.datetime({ offset: true });
/** A date and time as clocks on the wall show it, in whichever zone: `2026-11-28T07:30`. */
export const wallClock = z
  .string()
  .check(z.regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d$/));
export const whole = (min: number, max: number) => z.int().check(z.gte(min), z.lte(max));
/** An id. Ids are compared as text in places, so each has one spelling. */
export const uuid = z.uuid().check(z.toLowerCase());
/** An id inside a setup (question, option), made by the author's device. */
export const localId = z
  .string()
  .check(z.regex(/^[a-z0-9-]{1,36}$/, 'must be 1 to 36 small Latin letters, digits and hyphens'));
export const Done = z.object({ ok: z.literal(true) });

/** Query of a list that is read page by page. */
export const after = z.optional(z.string().check(z.maxLength(200)));
/** One page; `next` goes into the query's `after`, null at the end. */
export const pageOf = <S extends z.ZodMiniType>(item: S) =>
  z.object({ items: z.array(item), next: z.nullable(z.string()) });
