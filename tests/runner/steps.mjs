// @ts-check
/**
 * The steps of the tests, a line each, in their order: which tiers play them, and with what. A part of a step is a test
 * file, or the step itself where it is one command.
 */

/** @typedef {'quick' | 'test' | 'full' | 'all'} Tier */
/** @typedef {'chromium' | 'firefox'} Engine */
/**
 * One of `command`, `projects`, `faults` and `finds` says what it is. A step that `serves` plays only for those that need it.
 * @typedef {{
 *   name: string, in: Tier[], beside?: string, serves?: boolean, waits?: boolean, needs?: string[], engine?: Engine,
 *   env?: Record<string, string>,
 *   command?: string[],
 *   projects?: string[],
 *   faults?: string[],
 *   finds?: { mistake: string, case: string, count: 'lost' | 'twice' },
 * }} Step
 * Tests of a step that `waits` do so more than they compute: it has a process more than there are cores.
 * `beside` plays neighbours of the same word at once. `faults` names cases, none for all of them. `finds` is a mistake
 * that the product is built with, and that the faults must count.
 */

/** @type {Tier[]} */
const GATE = ['test', 'full', 'all'];
/** @type {Tier[]} */
const EACH = ['quick', ...GATE];
const npm = ['npm', 'run', '--silent'];
const QUICK_PROJECTS = ['unit', 'worker', 'service-worker', 'app'];
/** In a browser: the build, and nothing else at the same time. */
const built = { needs: ['build'] };
/** What a device does to the outbox, in so many ways; the other cases are mixtures of these. */
const FAULTS_SAMPLE = [
  'offline, then online',
  'browser killed after the last write',
  'cut after commit',
  'two tabs',
  'sign-out in mid-drain',
  'quota full',
];
/** Where the engine's own database and locks decide. */
const FAULTS_OF_ENGINE = ['browser killed after the last write', 'two tabs'];
const SENDS_TWICE = /** @type {const} */ ({ mistake: 'new-id-each-time', case: 'cut after commit', count: 'twice' });
const DELETES_FIRST = /** @type {const} */ ({
  mistake: 'delete-before-send',
  case: 'offline, then online',
  count: 'lost',
});

/** @type {Step[]} */
export const STEPS = [
  { name: 'words', in: EACH, serves: true, command: [...npm, 'words'] },
  { name: 'lint', in: GATE, beside: 'checks', command: [...npm, 'lint'] },
  { name: 'types', in: GATE, beside: 'checks', needs: ['words'], command: ['node_modules/.bin/tsc', '-b'] },
  { name: 'dead code', in: GATE, beside: 'checks', needs: ['words'], command: [...npm, 'dead-code'] },
  { name: 'quick', in: EACH, needs: ['words'], projects: QUICK_PROJECTS },
  { name: 'integration', in: GATE, waits: true, needs: ['words'], projects: ['integration'] },
  { name: 'build', in: GATE, serves: true, command: ['node', 'server/cli/build-if-stale.mjs'] },
  { name: 'chromium', in: ['test', 'full'], ...built, engine: 'chromium', projects: ['browser'] },
  {
    name: 'chromium, the rest',
    in: ['full'],
    ...built,
    engine: 'chromium',
    projects: ['browser'],
    env: { PURGE_RUNS: '3' },
  },
  {
    name: 'chromium, all',
    in: ['all'],
    ...built,
    engine: 'chromium',
    projects: ['browser'],
    env: { PURGE_RUNS: '200' },
  },
  { name: 'firefox', in: ['full'], ...built, engine: 'firefox', projects: ['browser'], env: { PURGE_RUNS: '1' } },
  { name: 'firefox, all', in: ['all'], ...built, engine: 'firefox', projects: ['browser'], env: { PURGE_RUNS: '2' } },
  { name: 'faults chromium', in: ['full'], ...built, engine: 'chromium', faults: FAULTS_SAMPLE },
  { name: 'faults firefox', in: ['full'], ...built, engine: 'firefox', faults: FAULTS_OF_ENGINE },
  { name: 'faults chromium, all', in: ['all'], ...built, engine: 'chromium', faults: [] },
  { name: 'faults firefox, all', in: ['all'], ...built, engine: 'firefox', faults: [] },
  { name: 'finds new-id-each-time', in: ['full', 'all'], ...built, engine: 'chromium', finds: SENDS_TWICE },
  { name: 'finds delete-before-send', in: ['all'], ...built, engine: 'chromium', finds: DELETES_FIRST },
  { name: 'mutations', in: ['all'], ...built, command: [...npm, 'mutations'] },
  { name: 'proxies', in: ['all'], ...built, engine: 'chromium', projects: ['proxies'] },
  { name: 'audits', in: ['all'], ...built, projects: ['audits'] },
];

/** @param {Tier} tier @returns {Step[]} */
export const stepsOf = (tier) => STEPS.filter((step) => step.in.includes(tier));

/** What a step's tests read as `TIER`: the full tier plays the steps of `npm test` as that does. @param {Step} step @param {Tier} tier */
export const tierOf = (step, tier) => (tier === 'full' && step.in.includes('test') ? 'test' : tier);

/**
 * Which parts of each step a run plays.
 * @template {{ part: string }} Part
 * @param {{ step: Step, parts: string[], kept: Part[] }[]} steps all parts of each, and which of them need not be played again
 * @param {{ only?: string[] | undefined, shard?: string | undefined }} asked `only` holds pieces of `step: part`; `shard` is `2/4`, the second of four
 * @returns {{ parts: string[], kept: Part[] }[]} of each step what is played, and what counts without being played
 */
export function choose(steps, { only = [''], shard = '1/1' }) {
  const [, which = 0, of = 0] = /^(\d+)\/(\d+)$/.exec(shard)?.map(Number) ?? [];
  if (which < 1 || which > of) throw new Error(`--shard ${shard} is none; the second of four is 2/4`);
  let dealt = 0;
  const chosen = steps.map(({ step, parts, kept }) => {
    // Dealt like cards over all steps: each shard has its share of the long ones.
    const mine = parts
      .filter((part) => !step.serves && only.some((piece) => `${step.name}: ${part}`.includes(piece)))
      .filter(() => dealt++ % of === which - 1);
    const good = kept.filter(({ part }) => mine.includes(part));
    return { parts: mine.filter((part) => !good.some((one) => one.part === part)), kept: good };
  });
  return chosen.map((one, index) => {
    const name = steps[index]?.step.name ?? '';
    const isNeeded = steps.some(({ step }, other) => step.needs?.includes(name) && chosen[other]?.parts.length);
    return isNeeded ? { parts: steps[index]?.parts ?? [], kept: [] } : one;
  });
}

/** Steps that play at once stand together. @template {{ step: Step }} Of @param {Of[]} plans @returns {Of[][]} */
export function groupsOf(plans) {
  /** @type {Of[][]} */
  const groups = [];
  for (const plan of plans) {
    const last = groups.at(-1);
    if (last && plan.step.beside && last[0]?.step.beside === plan.step.beside) last.push(plan);
    else groups.push([plan]);
  }
  return groups;
}
