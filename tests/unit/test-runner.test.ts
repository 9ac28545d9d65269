import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { usageOf } from '../runner/processor.mjs';
import { addPart, keyOf, nameOfSources, type Part, partsIn, resultOf, stillGood } from '../runner/report.mjs';
import { choose, groupsOf, STEPS, type Step, stepsOf, type Tier, tierOf } from '../runner/steps.mjs';
import { comparison, dearest, markdown, type Run, withRun } from '../runner/timings.mjs';
import { startBrowser, startsIn } from '../support/starts.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-runner-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const part = (name: string, more: Partial<Part> = {}): Part => ({
  part: name,
  key: '',
  passed: 1,
  failures: [],
  seconds: 0,
  processor: 0,
  starts: {},
  ...more,
});

describe('the table of steps', () => {
  const names = (tier: Tier) => stepsOf(tier).map(({ name }) => name);

  it('has one step of a name, each with one thing to play, and in a tier after what it needs', () => {
    expect(new Set(STEPS.map(({ name }) => name)).size).toBe(STEPS.length);
    for (const { command, projects, faults, finds, name } of STEPS)
      expect([command, projects, faults, finds].filter(Boolean), name).toHaveLength(1);
    for (const step of STEPS)
      for (const tier of step.in)
        for (const needed of step.needs ?? [])
          expect(names(tier).slice(0, names(tier).indexOf(step.name)), `${tier}: ${step.name}`).toContain(needed);
  });

  it('has neither a database nor a browser in the quick tier, and all of npm test at the head of the full one', () => {
    expect(names('quick')).toEqual(['words', 'quick']);
    expect(names('full').slice(0, names('test').length)).toEqual(names('test'));
  });

  it('tells a step of npm test that it is played as there, in the full tier too', () => {
    const tierIn = (name: string, tier: Tier) => tierOf(STEPS.find((step) => step.name === name) as Step, tier);
    expect(tierIn('chromium', 'full')).toBe('test');
    expect(tierIn('chromium, the rest', 'full')).toBe('full');
    expect(tierIn('integration', 'all')).toBe('all');
    expect(tierIn('quick', 'quick')).toBe('quick');
  });

  it('plays checks beside each other, and nothing beside a browser', () => {
    const groups = groupsOf(stepsOf('full').map((step) => ({ step }))).map((group) =>
      group.map(({ step }) => step.name),
    );
    expect(groups.filter((group) => group.length > 1)).toEqual([['lint', 'types', 'dead code']]);
    expect(groups.flat()).toEqual(names('full'));
  });
});

describe('what a run plays', () => {
  const plans = [
    { step: { name: 'build', in: ['all'], serves: true } as Step, parts: ['build'], kept: [] as Part[] },
    { step: { name: 'lint', in: ['all'] } as Step, parts: ['lint'], kept: [] as Part[] },
    {
      step: { name: 'chromium', in: ['all'], needs: ['build'] } as Step,
      parts: ['a', 'b', 'c', 'd'],
      kept: [] as Part[],
    },
    { step: { name: 'firefox', in: ['all'], needs: ['build'] } as Step, parts: ['a', 'b'], kept: [] as Part[] },
  ];
  const played = (...asked: Parameters<typeof choose>) => choose(...asked).map(({ parts }) => parts.join(''));

  it('is everything when nothing is asked for', () => {
    expect(played(plans, {})).toEqual(['build', 'lint', 'abcd', 'ab']);
  });

  it('is by name a file in each step, or a step, with what it needs', () => {
    expect(played(plans, { only: ['a'] })).toEqual(['build', '', 'a', 'a']);
    expect(played(plans, { only: ['firefox', 'lint'] })).toEqual(['build', 'lint', '', 'ab']);
    expect(played(plans, { only: ['lint'] })).toEqual(['', 'lint', '', '']);
  });

  it('is in shards each part once, alike many, with the build in each that needs it', () => {
    const shards = ['1/3', '2/3', '3/3'].map((shard) => choose(plans, { shard }).map(({ parts }) => parts));
    expect(shards.map((steps) => steps.slice(1).flat().length)).toEqual([3, 2, 2]);
    for (const index of [1, 2, 3])
      expect(shards.flatMap((steps) => steps[index] ?? []).sort()).toEqual([...(plans[index]?.parts ?? [])].sort());
    expect(shards.map(([build]) => build)).toEqual([['build'], ['build'], ['build']]);
  });

  it('is no shard that there is not', () => {
    for (const shard of ['0/4', '5/4', '2', 'a/b', '1/0']) expect(() => choose(plans, { shard }), shard).toThrow(shard);
  });

  it('is when resumed what has not passed, and no build where nothing is left that needs it', () => {
    const resumed = plans.map((plan) => ({
      ...plan,
      kept: plan.step.needs ? plan.parts.map((name) => part(name)) : [],
    }));
    expect(played(resumed, {})).toEqual(['', 'lint', '', '']);
    expect(choose(resumed, { only: ['firefox'] })[3]?.kept.map((one) => one.part)).toEqual(['a', 'b']);
    resumed[3]?.kept.pop();
    expect(played(resumed, {})).toEqual(['build', 'lint', '', 'b']);
  });
});

describe('a step’s report', () => {
  it('holds the latest of each part, also after a run that was killed in the middle of a line', () => {
    const file = join(folder, 'step.jsonl');
    expect(partsIn(file)).toEqual([]);
    addPart(file, part('a', { failures: ['no'] }));
    addPart(file, part('b'));
    addPart(file, part('a'));
    writeFileSync(file, '{"part":"c","pas', { flag: 'a' });
    expect(partsIn(file)).toEqual([part('a'), part('b')]);
  });

  it('keeps for a resumed run what passed, on the same sources, with the same text', () => {
    const file = join(folder, 'a.test.ts');
    writeFileSync(file, 'one');
    const parts = [
      part(file, { key: keyOf(file, 'sources') }),
      part('red', { key: keyOf('red', 'sources'), failures: ['no'] }),
      part('lint', { key: keyOf('lint', 'sources') }),
      part('older', { key: keyOf('older', 'other sources') }),
    ];
    expect(stillGood(parts, 'sources').map((one) => one.part)).toEqual([file, 'lint']);
    writeFileSync(file, 'two');
    expect(stillGood(parts, 'sources').map((one) => one.part)).toEqual(['lint']);
  });

  it('is of other sources when anything has changed but a test file or what is generated', () => {
    for (const room of ['app/paraglide', 'app/words.inlang', 'tests/.artifacts'])
      mkdirSync(join(folder, room), { recursive: true });
    const named = new Map<string, string>();
    for (const file of [
      '',
      'app/a.ts',
      'app/paraglide/b.ts',
      'app/words.inlang/README.md',
      'tests/.artifacts/c.json',
      'tests/d.test.ts',
      'tests/e.ts',
    ]) {
      if (file) writeFileSync(join(folder, file), 'text');
      named.set(nameOfSources(folder), file);
    }
    expect([...named.values()]).toEqual(['', 'tests/d.test.ts', 'tests/e.ts']);
  });
});

describe('a file’s result', () => {
  const file = (tests: Record<string, string>, state = 'passed', errors: { message: string }[] = []) => ({
    moduleId: '/tests/browser/story.test.ts',
    state: () => state,
    errors: () => errors,
    children: {
      allTests: () =>
        Object.entries(tests).map(([fullName, state]) => ({
          fullName,
          result: () => ({ state, errors: state === 'failed' ? [{ message: 'no', stack: 'Error: no' }] : [] }),
        })),
    },
  });

  it('counts a skipped test and one that never ran as failures', () => {
    expect(resultOf(file({ a: 'passed', b: 'failed', c: 'skipped', d: 'pending' }, 'failed'))).toEqual({
      passed: 1,
      failures: ['b: Error: no', 'c: skipped', 'd: pending'],
    });
  });

  it('is one failure where it does not load, does not come to its end, or fails around its tests', () => {
    expect(resultOf(file({}, 'failed', [{ message: 'no such module' }])).failures).toEqual(['no such module']);
    expect(resultOf(file({}, 'pending')).failures).toEqual(['the file is pending']);
    expect(resultOf(file({ a: 'passed' }, 'failed', [{ message: 'afterAll' }]))).toEqual({
      passed: 1,
      failures: ['afterAll'],
    });
  });
});

describe('starts', () => {
  it('are counted by kind, and by the process that did them', () => {
    const file = join(folder, 'starts');
    expect(startsIn(file)).toEqual({});
    writeFileSync(file, 'browser 1\ninstance 2\nbrowser 2\nbrowser again 2\n');
    expect(startsIn(file)).toEqual({ browser: 2, instance: 1, 'browser again': 1 });
    expect(startsIn(file, 1)).toEqual({ browser: 1 });
  });

  it('of a browser are tried twice, which is counted, and not a third time', async () => {
    vi.stubEnv('STARTS', join(folder, 'starts'));
    const log = vi.spyOn(console, 'log').mockReturnValue();
    const fails = (times: number) => {
      let tries = 0;
      return () => (++tries > times ? Promise.resolve(tries) : Promise.reject(new Error('no display')));
    };
    expect(await startBrowser(fails(0))).toBe(1);
    expect(await startBrowser(fails(1))).toBe(2);
    await expect(startBrowser(fails(2))).rejects.toThrow('no display');
    expect(startsIn(join(folder, 'starts'))).toEqual({ browser: 3, 'browser again': 2 });
    expect(log).toHaveBeenCalledTimes(2);
    log.mockRestore();
  });
});

describe('timings', () => {
  const run = (what: string, at: string, processor = 1): Run => ({
    what,
    at,
    cores: 2,
    seconds: 3,
    steps: [{ name: 'chromium', passed: 5, failed: 1, seconds: 2.4, processor, starts: { browser: 2 } }],
    parts: [{ step: 'chromium', part: 'tests/a', seconds: 2, processor, starts: {} }],
  });

  it('keep three runs of a kind, the latest first', () => {
    let runs: Run[] = [];
    for (const [what, at] of ['test 1', 'quick 2', 'test 3', 'test 4', 'test 5'].map((name) => name.split(' ')))
      runs = withRun(runs, run(what ?? '', at ?? ''));
    expect(runs.map(({ what, at }) => `${what} ${at}`)).toEqual(['test 5', 'test 4', 'test 3', 'quick 2']);
  });

  it('are printed beside those of the run before, the files with the largest change too', () => {
    const before = run('test', 'before', 4);
    before.parts.unshift({ ...before.parts[0]!, part: 'tests/b' });
    const now = run('test', 'now', 7);
    now.parts.unshift({ ...now.parts[0]!, part: 'tests/b', processor: 5 });
    const lines = comparison(now, before);
    expect(lines).toContainEqual(expect.stringMatching(/^chromium +2\.4 s \(2\.4 s\) +processor +7\.0 s \(4\.0 s\)/));
    expect(lines.at(-2)).toMatch(/7\.0 s \(4\.0 s\) {2}chromium: tests\/a$/);
    expect(lines.at(-1)).toMatch(/5\.0 s \(4\.0 s\) {2}chromium: tests\/b$/);
    expect(comparison(run('test', 'now'), undefined).join('\n')).toContain('(new)');
    const other = { ...run('test', 'before'), steps: [{ ...run('', '').steps[0], name: 'faults' }] } as Run;
    expect(comparison(run('test', 'now'), other)).toContainEqual(expect.stringMatching(/^faults +gone$/));
  });

  it('name ten files, by what they took on the clock', () => {
    const parts = Array.from({ length: 12 }, (_, index) => ({
      ...run('', '').parts[0]!,
      part: `tests/${index}`,
      seconds: index,
    }));
    const lines = dearest(parts);
    expect(lines).toHaveLength(10);
    expect(lines[0]).toContain('tests/11');
    expect(dearest([{ ...parts[0]!, part: 'lint' }])).toEqual([]);
  });

  it('make the table of the figures, with the runs in their order', () => {
    expect(markdown([run('test', '1', 1), run('test', '2', 20)])).toEqual([
      '| step | tests | wall clock, s | processor, s | instances | browsers |',
      '|---|--:|--:|--:|--:|--:|',
      '| chromium | 6 | 2 / 2 | 1 / 20 | 0 | 2 |',
      '| **`test` in all** | 6 | 3 / 3 | 1 / 20 | 0 | 2 |',
    ]);
  });
});

describe('processor time', () => {
  it('is read of a program whose name has spaces and brackets', () => {
    const fields = '1 (a) b) S 42 1 1 0 -1 4194560 1 1 0 0 150 50 700 100 20 0 1 0 5 0 0';
    expect(usageOf(fields)).toEqual({ parent: 42, own: 2, waited: 8 });
  });
});
