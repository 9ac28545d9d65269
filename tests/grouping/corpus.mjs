// @ts-check
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: lines of code, written down
/**
 * Errors as real browsers write them, each with its true group: the mistake behind it. Ours are given as the place in
 * the sources and what each engine says of it; their stacks are written out in each engine's way, for two builds with
 * other names, hashes and columns, with maps to read them by. The rest are taken as they are.
 *
 * Two errors are of one group exactly when one mend would end both.
 */

/**
 * @typedef {{ file: string, fn: string, line: number, code: string }} Place
 * @typedef {{ group: string, message: string, stack: string | null, release: string }} Sample
 * @typedef {{ group: string, at: Place[], chrome: string[], firefox: string[], safari: string[] }} Own
 * @typedef {{ source: string, line: number, code: string, fn: string, inApp: boolean }} Original
 */

/** @param {string} file @param {string} fn @param {number} line @param {string} code @returns {Place} */
const at = (file, fn, line, code) => ({ file, fn, line, code });

const react = [
  at(
    'node_modules/react-dom/cjs/react-dom-client.production.js',
    'renderWithHooks',
    4021,
    'var children = Component(props, secondArg);',
  ),
  at(
    'node_modules/react-dom/cjs/react-dom-client.production.js',
    'beginWork',
    8123,
    'return updateFunctionComponent(current, workInProgress);',
  ),
];
const event = [
  at(
    'node_modules/react-dom/cjs/react-dom-client.production.js',
    'dispatchEvent',
    11021,
    'listener.call(undefined, event);',
  ),
];
const query = [
  at('node_modules/@tanstack/query-core/build/modern/query.js', 'fetchFn', 212, 'return queryFn(context);'),
];

/** Mistakes of ours, as one person would make them: what is wrong, where, in each engine's words. @type {Own[]} */
const OWN = [
  {
    group: 'the board reads the points of a row that is not there',
    at: [at('app/ui/board.tsx', 'BoardRow', 31, 'const points = row.standing.points;'), ...react],
    chrome: ["TypeError: Cannot read properties of undefined (reading 'points')"],
    firefox: [
      'TypeError: can\'t access property "points", a.standing is undefined',
      'TypeError: a.standing is undefined',
    ],
    safari: ["TypeError: undefined is not an object (evaluating 'e.standing.points')"],
  },
  {
    group: 'the board maps rows before they are loaded',
    at: [
      at('app/ui/board.tsx', 'Board', 52, 'return board.rows.map((row) => <BoardRow key={row.id} row={row} />);'),
      ...react,
    ],
    chrome: [
      "TypeError: Cannot read properties of undefined (reading 'map')",
      "TypeError: Cannot read properties of null (reading 'map')",
    ],
    firefox: ['TypeError: can\'t access property "map", t.rows is undefined'],
    safari: [
      "TypeError: undefined is not an object (evaluating 't.rows.map')",
      "TypeError: null is not an object (evaluating 't.rows.map')",
    ],
  },
  {
    group: 'the streak is read of a profile that is null',
    at: [
      at('app/features/profile/profile-screen.tsx', 'ProfileScreen', 44, 'const days = profile.streak.days;'),
      ...react,
    ],
    chrome: ["TypeError: Cannot read properties of null (reading 'days')"],
    firefox: ['TypeError: can\'t access property "days", r.streak is null'],
    safari: ["TypeError: null is not an object (evaluating 'r.streak.days')"],
  },
  {
    group: 'the claim card calls a handler that nobody gave',
    at: [at('app/features/dashboard/claim-card.tsx', 'onPress', 61, 'onClaimed(answer.claim);'), ...event],
    chrome: ['TypeError: n is not a function', 'TypeError: s is not a function'],
    firefox: ['TypeError: n is not a function', 'TypeError: u is not a function'],
    safari: ["TypeError: n is not a function. (In 'n(r.claim)', 'n' is undefined)"],
  },
  {
    group: 'review asks decide of a queue that has none',
    at: [at('app/features/leader/review.tsx', 'decide', 120, 'await queue.decide(claim.id, decision);')],
    chrome: ['TypeError: e.decide is not a function', 'TypeError: r.decide is not a function'],
    firefox: ['TypeError: e.decide is not a function'],
    safari: ["TypeError: e.decide is not a function. (In 'e.decide(t.id,n)', 'e.decide' is undefined)"],
  },
  {
    group: 'tags are spread of a community without any',
    at: [
      at(
        'app/features/communities/directory.ts',
        'allTags',
        14,
        'return [...new Set(list.flatMap((one) => [...one.tags]))];',
      ),
    ],
    chrome: [
      'TypeError: e.tags is not iterable',
      'TypeError: undefined is not iterable (cannot read property Symbol(Symbol.iterator))',
    ],
    firefox: ['TypeError: e.tags is not iterable', 'TypeError: t.tags is undefined'],
    safari: [
      "TypeError: undefined is not a function (near '...e.tags...')",
      'TypeError: Spread syntax requires ...iterable not be null or undefined',
    ],
  },
  {
    group: 'a shortcut names a variable that was renamed',
    at: [at('app/features/engagement/use-command-key.ts', 'onKey', 9, 'if (pressedKey === wanted) act();')],
    chrome: ['ReferenceError: pressedKey is not defined'],
    firefox: ['ReferenceError: pressedKey is not defined'],
    safari: ["ReferenceError: Can't find variable: pressedKey"],
  },
  {
    group: 'the theme is read before it is made',
    at: [at('app/features/theme/theme.ts', 'applyTheme', 22, 'document.documentElement.dataset.theme = current;')],
    chrome: ["ReferenceError: Cannot access 'o' before initialization"],
    firefox: ["ReferenceError: can't access lexical declaration 'o' before initialization"],
    safari: ['ReferenceError: Cannot access uninitialized variable.'],
  },
  {
    group: 'the toaster counts up a constant',
    at: [at('app/ui/toaster.tsx', 'shift', 33, 'shown += 1;')],
    chrome: ['TypeError: Assignment to constant variable.'],
    firefox: ["TypeError: invalid assignment to const 'c'"],
    safari: ['TypeError: Attempted to assign to readonly property.'],
  },
  {
    group: 'replies in the thread render themselves without end',
    at: [
      at('app/features/engagement/task-view.ts', 'flatten', 40, 'return [task, ...task.parts.flatMap(flatten)];'),
      at('app/features/engagement/task-view.ts', 'flatten', 40, 'return [task, ...task.parts.flatMap(flatten)];'),
    ],
    chrome: ['RangeError: Maximum call stack size exceeded'],
    firefox: ['InternalError: too much recursion'],
    safari: ['RangeError: Maximum call stack size exceeded.'],
  },
  {
    group: 'a proxy answers HTML where JSON is read',
    at: [at('app/lib/http.ts', 'readJson', 71, 'return JSON.parse(text) as unknown;')],
    chrome: [
      'SyntaxError: Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
      'SyntaxError: Unexpected token \'<\', "<html><hea"... is not valid JSON',
      'SyntaxError: Unexpected end of JSON input',
    ],
    firefox: [
      'SyntaxError: JSON.parse: unexpected character at line 1 column 1 of the JSON data',
      'SyntaxError: JSON.parse: unexpected end of data at line 1 column 1 of the JSON data',
    ],
    safari: ["SyntaxError: JSON Parse error: Unrecognized token '<'", 'SyntaxError: JSON Parse error: Unexpected EOF'],
  },
  {
    group: 'a kept draft is not JSON any more',
    at: [at('app/features/engagement/draft.ts', 'readDraft', 12, 'return JSON.parse(kept) as Draft;')],
    chrome: [
      'SyntaxError: Unexpected token \'u\', "undefined" is not valid JSON',
      'SyntaxError: "[object Object]" is not valid JSON',
    ],
    firefox: ['SyntaxError: JSON.parse: unexpected character at line 1 column 1 of the JSON data'],
    safari: ['SyntaxError: JSON Parse error: Unexpected identifier "undefined"'],
  },
  {
    group: 'the stamp formats a date that is none',
    at: [at('app/ui/stamp.tsx', 'Stamp', 18, 'return new Date(time).toISOString();'), ...react],
    chrome: ['RangeError: Invalid time value'],
    firefox: ['RangeError: invalid date', 'RangeError: date value is not finite in DateTimeFormat.format()'],
    safari: ['RangeError: Invalid Date'],
  },
  {
    group: 'stars are drawn for a negative level',
    at: [at('app/ui/format.ts', 'stars', 25, 'return new Array(level - hidden).fill("★");')],
    chrome: ['RangeError: Invalid array length'],
    firefox: ['RangeError: invalid array length'],
    safari: ['RangeError: Array size is not a small enough positive integer.'],
  },
  {
    group: 'an act with an element in it is turned into JSON',
    at: [at('app/features/engagement/acts.ts', 'bodyOf', 30, 'const body = JSON.stringify({ ...act, by: target });')],
    chrome: [
      "TypeError: Converting circular structure to JSON\n    --> starting at object with constructor 'HTMLButtonElement'\n    --- property '__reactFiber$abc' closes the circle",
    ],
    firefox: ['TypeError: cyclic object value'],
    safari: ['TypeError: JSON.stringify cannot serialize cyclic structures.'],
  },
  {
    group: 'the device store is full',
    at: [at('worker/storage/dexie.ts', 'put', 21, 'return table.put(row);')],
    chrome: [
      'QuotaExceededError: Quota exceeded.',
      'QuotaExceededError: Encountered full disk while opening backing store for indexedDB.open.',
    ],
    firefox: [
      'QuotaExceededError: The current transaction exceeded its quota limitations.',
      'QuotaExceededError: A mutation operation in the transaction failed because the storage quota was exceeded.',
    ],
    safari: ['QuotaExceededError: The quota has been exceeded.'],
  },
  {
    group: 'the store is asked while it closes',
    at: [at('worker/storage/dexie.ts', 'run', 30, 'return database.transaction(mode, tables, work);')],
    chrome: [
      "InvalidStateError: Failed to execute 'transaction' on 'IDBDatabase': The database connection is closing.",
    ],
    firefox: ['InvalidStateError: A mutation operation was attempted on a database that did not allow mutations.'],
    safari: ['InvalidStateError: The database connection is closing.'],
  },
  {
    group: 'a translation extension takes nodes away under the crash panel',
    at: [at('app/features/shell/crash.tsx', 'close', 38, 'host.removeChild(panel);')],
    chrome: [
      "NotFoundError: Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
    ],
    firefox: ['NotFoundError: Node.removeChild: The node to be removed is not a child of this node'],
    safari: ['NotFoundError: The object can not be found here.'],
  },
  {
    group: 'notifications are asked for in a frame that may not',
    at: [
      at(
        'app/features/push/ask.ts',
        'askPermission',
        16,
        'const answer = await registration.pushManager.subscribe(options);',
      ),
    ],
    chrome: ['NotAllowedError: Registration failed - permission denied'],
    firefox: ['NotAllowedError: User denied permission to use the Push API.'],
    safari: ['NotAllowedError: Push notification prompting can only be done from a user gesture.'],
  },
  {
    group: 'reads are cut off by leaving the page',
    at: [at('app/lib/query.ts', 'read', 80, 'const answer = await request(url, { signal });')],
    chrome: ['AbortError: signal is aborted without reason', 'AbortError: The user aborted a request.'],
    firefox: ['AbortError: The operation was aborted. '],
    safari: ['AbortError: Fetch is aborted'],
  },
  {
    group: 'the claim is sent without a network',
    at: [at('worker/send.ts', 'send', 28, 'const answer = await fetch(path, options);')],
    chrome: ['TypeError: Failed to fetch'],
    firefox: ['TypeError: NetworkError when attempting to fetch resource.'],
    safari: [
      'TypeError: Load failed',
      'TypeError: The Internet connection appears to be offline.',
      'TypeError: The network connection was lost.',
    ],
  },
  {
    group: 'the page asks without a network',
    at: [
      at('app/lib/http.ts', 'request', 52, 'const response = await fetch(url, { ...options, credentials });'),
      ...query,
    ],
    chrome: ['TypeError: Failed to fetch'],
    firefox: ['TypeError: NetworkError when attempting to fetch resource.'],
    safari: ['TypeError: Load failed'],
  },
  {
    group: 'the sign-in takes too long',
    at: [
      at(
        'app/lib/session.ts',
        'refresh',
        19,
        'const user = await request("/api/auth/user", { signal: AbortSignal.timeout(3000) });',
      ),
    ],
    chrome: ['TimeoutError: signal timed out'],
    firefox: ['TimeoutError: The operation timed out.'],
    safari: ['TimeoutError: The operation timed out.'],
  },
];

/** @type {(text: string) => Pick<Own, 'chrome' | 'firefox' | 'safari'>} */
const same = (text) => ({ chrome: [text], firefox: [text], safari: [text] });
/** @type {(...texts: string[]) => Pick<Own, 'chrome' | 'firefox' | 'safari'>} */
const varied = (a = '', b = a, c = b) => ({ chrome: [a, b], firefox: [b], safari: [c] });

/** What our own code says, with what differs from one person to the next in it. @type {Own[]} */
const THROWN = [
  {
    group: 'a task that is gone',
    at: [
      at('app/features/engagement/subjects.ts', 'taskOf', 12, 'if (!task) throw new Error(`There is no task ${id}`);'),
    ],
    ...varied(
      'Error: There is no task 0191f2aa-7d1c-7b3a-9c55-2f0e8c7a4b10',
      'Error: There is no task 0191f3bb-1111-7abc-8def-0123456789ab',
      'Error: There is no task 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    ),
  },
  {
    group: 'a community that is not in the list',
    at: [at('app/features/communities/directory.ts', 'bySlug', 23, 'throw new Error(`Unknown community "${slug}"`);')],
    ...varied(
      'Error: Unknown community "chess-club"',
      'Error: Unknown community "rust-berlin"',
      'Error: Unknown community "x"',
    ),
  },
  {
    group: 'the server answers 500',
    at: [at('app/lib/http.ts', 'refusal', 88, 'throw new HttpError(body);')],
    ...varied(
      'HttpError: HTTP 500 for /api/communities/0191f2aa-7d1c-7b3a-9c55-2f0e8c7a4b10',
      'HttpError: HTTP 500 for /api/communities/77',
      'HttpError: HTTP 500 for /api/communities/abc',
    ),
  },
  {
    group: 'the server answers 409',
    at: [at('app/lib/http.ts', 'refusal', 88, 'throw new HttpError(body);')],
    ...varied('HttpError: HTTP 409 for /api/communities/1/claims', 'HttpError: HTTP 409 for /api/communities/2/claims'),
  },
  {
    group: 'the device store is of a later version',
    at: [at('worker/storage/storage.ts', 'open', 44, 'throw new VersionError(found);')],
    ...varied(
      'StoreError: the store is of version 30, this app knows 10',
      'StoreError: the store is of version 20, this app knows 10',
    ),
  },
  {
    group: 'the drain waits too long for its lock',
    at: [at('worker/lock.ts', 'withLock', 6, 'throw new Error(`no lock after ${ms} ms`);')],
    ...varied('Error: no lock after 5003 ms', 'Error: no lock after 5,017.4 ms', 'Error: no lock after 12000 ms'),
  },
  {
    group: 'a member is not found by name',
    at: [at('app/features/leader/people.tsx', 'findPerson', 20, 'throw new Error(`Nobody is called @${name}`);')],
    ...varied('Error: Nobody is called @ada_l', 'Error: Nobody is called @grace', 'Error: Nobody is called @alan_t99'),
  },
  {
    group: 'a mail address is refused',
    at: [at('app/features/leader/task-form.tsx', 'check', 58, 'throw new Error(`${address} cannot be written to`);')],
    ...varied('Error: ada@example.org cannot be written to', 'Error: grace.hopper+x@navy.example cannot be written to'),
  },
  {
    group: 'a season without an end',
    at: [
      at(
        'app/features/leaderboard/leaderboard-screen.tsx',
        'seasonEnd',
        77,
        'throw new Error(`Season of ${start} never ends`);',
      ),
    ],
    ...varied('Error: Season of 2026-01-05 never ends', 'Error: Season of 2025-11-30T22:00:00.000Z never ends'),
  },
  {
    group: 'a picture that will not load',
    at: [at('app/ui/avatar.tsx', 'load', 15, 'throw new Error(`No picture at ${url}`);')],
    ...varied(
      'Error: No picture at https://cdn.example/a/1.png',
      'Error: No picture at https://muster.example/avatars/0191f2aa.webp',
    ),
  },
  {
    group: 'the update is refused by the worker',
    at: [at('app/lib/service-worker.ts', 'activate', 90, 'throw new Error(`the worker did not take over: ${state}`);')],
    ...varied("Error: the worker did not take over: 'installed'", "Error: the worker did not take over: 'redundant'"),
  },
  {
    group: 'a word is missing',
    at: [at('app/ui/format.ts', 'word', 9, 'throw new Error("a word is missing");')],
    ...same('Error: a word is missing'),
  },
  {
    group: 'the outbox is empty',
    at: [at('worker/outbox.ts', 'next', 33, 'throw new Error("the outbox is empty");')],
    ...same('Error: the outbox is empty'),
  },
  {
    group: 'a hook outside its frame',
    at: [at('app/ui/frame.tsx', 'useFrame', 3, 'throw new Error("useFrame needs a frame");')],
    ...same('Error: useFrame needs a frame'),
  },
  {
    group: 'a level below zero',
    at: [at('server/contract/limits.ts', 'levelOf', 90, 'throw new RangeError(`no level for ${total} points`);')],
    ...varied('RangeError: no level for -5 points', 'RangeError: no level for -12.5 points'),
  },
  {
    group: 'a board of an unknown period',
    at: [at('app/features/engagement/board.ts', 'periodOf', 14, 'throw new TypeError(`no period ${name}`);')],
    ...varied("TypeError: no period 'decade'", "TypeError: no period 'hour'"),
  },
];

const BUILDS = [
  { release: 'build-a', names: ['a', 'e', 'Rt', 'qo', 'n'], hash: 'Ab3_dE9x', shift: 0 },
  { release: 'build-b', names: ['s', 'Zl', 'u', 'on', 'Xe'], hash: 'q7-ZtLm2', shift: 1731 },
];
const ORIGIN = 'https://muster.example';

/** Every place of every build, by script, line and column: what the kept maps would say. @type {Map<string, Original>} */
export const originals = new Map();

/** @param {Place} place @param {number} build @param {number} depth */
function minified(place, build, depth) {
  const { hash, shift, names } = BUILDS[build] ?? { hash: '', shift: 0, names: [] };
  const script = `${ORIGIN}/assets/${place.file.startsWith('node_modules') ? 'vendor' : place.file.startsWith('worker') ? 'worker' : 'app'}-${hash}.js`;
  const seed = [...`${place.file}${place.line}`].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 90_000, 7);
  const column = seed + shift;
  originals.set(`${script}:1:${column}`, {
    source: place.file,
    line: place.line + (build === 1 ? 3 : 0),
    code: place.code,
    fn: place.fn,
    inApp: !place.file.startsWith('node_modules'),
  });
  return { script, column, name: names[(seed + depth) % names.length] ?? 'a' };
}

/** @param {Own} own @param {'chrome' | 'firefox' | 'safari'} engine @param {string} message @param {number} build @returns {Sample} */
function written(own, engine, message, build) {
  const frames = own.at.map((place, depth) => ({ ...minified(place, build, depth), isNative: false }));
  const lines = {
    chrome: () => [
      message,
      ...frames.map(({ script, column, name }, at) =>
        at === 1 && build === 1
          ? `    at async ${name} (${script}:1:${column})`
          : at % 3 === 2
            ? `    at ${script}:1:${column}`
            : `    at Object.${name} (${script}:1:${column})`,
      ),
    ],
    firefox: () =>
      frames.map(
        ({ script, column, name }, at) =>
          `${at === 1 && build === 1 ? 'async*' : ''}${name}${at % 2 ? '/<' : ''}@${script}:1:${column}`,
      ),
    safari: () => [
      ...frames
        .slice(0, Math.max(1, frames.length - build))
        .map(({ script, column, name }, at) => (at % 2 ? `@${script}:1:${column}` : `${name}@${script}:1:${column}`)),
      '[native code]',
    ],
  }[engine]();
  return {
    group: own.group,
    message: message.split('\n')[0] ?? '',
    stack: lines.join('\n'),
    release: BUILDS[build]?.release ?? '',
  };
}

/** @type {Sample[]} */
const fromPlaces = [...OWN, ...THROWN].flatMap((own) =>
  /** @type {const} */ (['chrome', 'firefox', 'safari']).flatMap((engine) =>
    own[engine].flatMap((message) => [written(own, engine, message, 0), written(own, engine, message, 1)]),
  ),
);

const unmapped = (/** @type {string} */ hash, /** @type {number} */ column) =>
  `    at https://old.example/assets/app-${hash}.js:1:${column}`;
/** @param {string} group @param {string} message @param {string | null} [stack] @returns {Sample} */
const plain = (group, message, stack = null) => ({ group, message, stack, release: 'build-a' });

/** Without maps, without stacks, from elsewhere: as they come. @type {Sample[]} */
const AS_THEY_ARE = [
  ...['Script error.', 'Script error', 'Uncaught Script error.'].map((message) =>
    plain('script of another origin', message),
  ),
  ...[
    `TypeError: Failed to fetch dynamically imported module: ${ORIGIN}/assets/profile-screen-Ab3_dE9x.js`,
    `TypeError: Failed to fetch dynamically imported module: ${ORIGIN}/assets/review-q7-ZtLm2.js`,
    `TypeError: error loading dynamically imported module: ${ORIGIN}/assets/leaderboard-screen-x1y2z3w4.js`,
    'TypeError: Importing a module script failed.',
    'Error: Unable to preload CSS for /assets/look-9f8e7d6c.css',
    'ChunkLoadError: Loading chunk 42 failed.',
    `Could not load ${ORIGIN}/assets/board-Qw3rTy12.js`,
    'Uncaught (in promise) TypeError: Failed to fetch dynamically imported module: https://muster.example/assets/sheet-00aa11bb.js',
  ].flatMap((message) => [
    plain('a part of the app is gone after a deploy', message),
    plain(
      'a part of the app is gone after a deploy',
      message,
      `${message}\n    at async ${ORIGIN}/assets/app-Ab3_dE9x.js:1:77`,
    ),
  ]),
  ...[
    'ResizeObserver loop limit exceeded',
    'ResizeObserver loop completed with undelivered notifications.',
    'Error: ResizeObserver loop limit exceeded',
  ].map((message) => plain('ResizeObserver', message)),
  ...['418', '419', '422'].flatMap((code) => [
    plain(
      `React ${code}`,
      `Error: Minified React error #${code}; visit https://react.dev/errors/${code} for the full message or use the non-minified dev environment`,
    ),
    plain(
      `React ${code}`,
      `Error: Minified React error #${code}; visit https://react.dev/errors/${code}?args[]=HTML for the full message`,
    ),
  ]),
  ...[1, 2, 3].map((n) =>
    plain(
      'an extension that cannot find its tab',
      `Error: No tab with id: ${n * 1723}.`,
      `Error: No tab with id: ${n * 1723}.\n    at chrome-extension://abcdefghijklmnopabcdefghijklmnop/inject.js:1:${n * 10}`,
    ),
  ),
  ...['TypeError: Cannot redefine property: ethereum', 'TypeError: Cannot redefine property: ethereum'].map((message) =>
    plain(
      'two wallets in one page',
      message,
      `${message}\n    at Function.defineProperty (<anonymous>)\n    at chrome-extension://bfnaelmomeimhlpmgjnjophhpkkoljpa/evmAsk.js:15:5093`,
    ),
  ),
  ...[51, 52, 953].map((line) =>
    plain(
      "a page's own feature that Safari lacks",
      "TypeError: undefined is not a function (evaluating 'navigator.locks.request')",
      `request@https://muster.example/assets/app-0000aaaa.js:1:${line}`,
    ),
  ),
  ...[901, 1_203].flatMap((column) => [
    plain(
      'an unmapped build reads the name of nothing',
      "TypeError: Cannot read properties of undefined (reading 'displayName')",
      `TypeError: Cannot read properties of undefined (reading 'displayName')\n${unmapped('11112222', column)}`,
    ),
    plain(
      'an unmapped build reads the name of nothing',
      "TypeError: Cannot read properties of undefined (reading 'displayName')",
      `TypeError: Cannot read properties of undefined (reading 'displayName')\n${unmapped('33334444', column + 9)}`,
    ),
  ]),
  ...[17, 99].map((column) =>
    plain(
      'an unmapped build reads the level of nothing',
      "TypeError: Cannot read properties of undefined (reading 'levelReached')",
      `TypeError: Cannot read properties of undefined (reading 'levelReached')\n${unmapped('11112222', column)}`,
    ),
  ),
  ...['undefined', 'null'].map((message) => plain(`somebody threw ${message}`, message)),
  ...['{"code":4001}', '{"code":4902}'].map((message) => plain('a wallet threw an object', message)),
  ...[
    'Non-Error promise rejection captured with value: timeout 3000',
    'Non-Error promise rejection captured with value: timeout 15000',
  ].map((message) => plain('a promise refused with a text', message)),
  ...[
    'AbortError: The operation was aborted.',
    'AbortError: signal is aborted without reason',
    'AbortError: Fetch is aborted',
  ].map((message) => plain('aborted, nobody knows where', message)),
  ...[
    'TypeError: Failed to fetch',
    'TypeError: Load failed',
    'TypeError: NetworkError when attempting to fetch resource.',
  ].map((message) => plain('no network, nobody knows where', message)),
  ...['SecurityError: The operation is insecure.', 'SecurityError: The operation is insecure.'].map((message) =>
    plain('storage is blocked in Firefox', message, 'boot@https://muster.example/boot.js:4:12'),
  ),
  ...[
    'Error: Hydration failed because the server rendered HTML did not match the client.',
    'Error: Hydration failed because the server rendered HTML did not match the client.',
  ].map((message) => plain('hydration', message)),
  ...[3, 14, 159].map((n) =>
    plain('import of a kept cart', `Error: Import 0191f2aa-7d1c-7b3a-9c55-2f0e8c7a4${n + 100} stopped at row ${n}`),
  ),
  ...['de', 'fr', 'pt-BR'].map((locale) => plain('a locale without words', `Error: no words for "${locale}"`)),
  ...['eyJhbGciOi1', 'ZXhhbXBsZTI'].map((token) => plain('an opaque cursor', `Error: bad cursor ${token}9a8b7c6d5e4f`)),
  ...['10.5 kB', '1,024 bytes', '65 kB'].map((size) =>
    plain('too large a picture', `Error: the picture is larger than allowed: ${size.replace(/[a-z]+/i, 'kB')}`),
  ),
];

/** @type {Sample[]} */
export const corpus = [...fromPlaces, ...AS_THEY_ARE];
