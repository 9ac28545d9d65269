// @ts-check
/** How well groups fit the truth, over pairs of samples: of those put together, how many belong so, and the reverse. */

/**
 * @param {readonly { truth: string, given: string }[]} samples
 * @returns {{ samples: number, truths: number, groups: number, precision: number, recall: number, mixed: string[], torn: string[] }}
 */
export function measure(samples) {
  let together = 0;
  let right = 0;
  let wanted = 0;
  samples.forEach((a, at) => {
    for (const b of samples.slice(at + 1)) {
      if (a.given === b.given) together += 1;
      if (a.truth === b.truth) wanted += 1;
      if (a.given === b.given && a.truth === b.truth) right += 1;
    }
  });
  const truthsOf = collect(samples, ({ given, truth }) => [given, truth]);
  const groupsOf = collect(samples, ({ given, truth }) => [truth, given]);
  return {
    samples: samples.length,
    truths: groupsOf.size,
    groups: truthsOf.size,
    precision: right / Math.max(1, together),
    recall: right / Math.max(1, wanted),
    mixed: [...truthsOf.values()].filter((truths) => truths.size > 1).map((truths) => [...truths].join(' + ')),
    torn: [...groupsOf].filter(([, groups]) => groups.size > 1).map(([truth, groups]) => `${truth} (${groups.size})`),
  };
}

/** @template T @param {readonly T[]} list @param {(one: T) => [string, string]} pair @returns {Map<string, Set<string>>} */
function collect(list, pair) {
  const sets = new Map();
  for (const one of list) {
    const [key, value] = pair(one);
    sets.set(key, (sets.get(key) ?? new Set()).add(value));
  }
  return sets;
}
