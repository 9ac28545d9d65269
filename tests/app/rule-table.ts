import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { focusManager, onlineManager } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HttpError } from '../../app/lib/http.ts';
import { createQueryClient } from '../../app/lib/query.ts';

export type Rule = {
  /** Of the specification. */
  section: 3 | 4 | 5 | 7 | 8 | 9;
  says: string;
} & (
  | { test: () => unknown; elsewhere?: undefined }
  /** File whose tests hold it; `named`: the test there. */
  | { elsewhere: string; named?: string; test?: undefined }
);

const root = resolve(import.meta.dirname, '../..');

export const refused = (status: number, message = 'no') =>
  new HttpError({ status, reason: `HTTP_${status}`, message, requestId: null });
export const away = new TypeError('Failed to fetch');
/** Delays of the first attempts, in ms. */
export const delays = (of: (attempt: number) => number) => [0, 1, 2, 3, 4, 5, 6].map(of);
/** How often a rule tries again after this error. */
export const triesAfter = (rule: (failures: number, error: unknown) => boolean, error: unknown) => {
  let failures = 0;
  while (rule(failures, error) && failures < 100) failures += 1;
  return failures;
};
export const defaults = () => createQueryClient().getDefaultOptions();
export const messageOf = (promise: Promise<unknown>) => promise.then(String, (error: Error) => error.message);

/** Makes a test of each rule of these sections. A rule that another room keeps is looked for in the file named. */
export function holdRules(sections: readonly Rule['section'][], rules: Rule[]): void {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
  });
  afterEach(() => {
    onlineManager.setOnline(true);
    focusManager.setFocused(undefined);
  });
  describe.each(sections)('section %i', (section) => {
    for (const rule of rules.filter((one) => one.section === section)) {
      test(rule.elsewhere ? `${rule.says} (${rule.elsewhere})` : rule.says, async () => {
        if (rule.elsewhere)
          expect(readFileSync(resolve(root, rule.elsewhere), 'utf8')).toContain(rule.named ?? 'test(');
        await rule.test?.();
      });
    }
  });
}
