import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Found<T> = { description: string; text: string; expected: T[] };
type Conformance = {
  lengths: { description: string; text: string; weightedLength: number; valid: boolean }[];
  urls: Found<string>[];
  indices: Found<{ url: string; indices: [number, number] }>[];
};

/** What twitter-text publishes for implementations to agree with; where it is from stands in the file. */
export const conformance = JSON.parse(
  readFileSync(join(import.meta.dirname, 'x-conformance.json'), 'utf8'),
) as Conformance;
