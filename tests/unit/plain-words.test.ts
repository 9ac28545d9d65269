/** What every screen says is plain English: the habits that a native speaker stumbles over stay out of the catalogues. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const CATALOGUES = new URL('../../app/words/', import.meta.url);
const GUIDES = new URL('../../app/guides/', import.meta.url);

/** Of contracts and policies, whose versions are kept word by word and are written as such texts are. */
const isLegal = (key: string) => /^public_(privacy|terms|cookies|guidelines|legal)_/.test(key);

/** Each with what to say instead. */
const HABITS: readonly (readonly [RegExp, string])[] = [
  [
    /\bstands? (here|there|in|on|below|above|behind|before|where)\b|\bwhat stands\b|\byou stand\b/i,
    'is shown, is listed',
  ],
  [/have it counted/i, 'earn, count'],
  [/\bof (its|his|her|your|my|a member’s|one’s) own\b/i, 'its own …'],
  [/\b(by|of) (itself|themselves)\b/i, 'automatically'],
  [/^so that\b|, so that\b|\. so that\b/i, 'so, to'],
  [/\bwants? none\b/i, 'opted out'],
  [/\bsomebody\b|\banybody\b|\beverybody\b/i, 'someone, anyone, everyone'],
  [/\belse than\b/i, 'other than'],
  [/^empty:|\. empty:/i, 'Leave empty for …'],
  [/\ba beginning\b|at the beginning/i, 'start, template'],
  [/\bwhoever\b/i, 'people who, the first to'],
  [/\banew\b/i, 'again'],
  [/\bbecame of\b/i, 'history'],
  [/\bmeanwhile\b/i, 'in the meantime'],
  [/\bmended\b/i, 'fixed'],
  [/\bhalt(ed)?\b/i, 'pause'],
  [/\bat X\b/, 'on X'],
  [/^put away$/i, 'dismissed'],
  [/\b(is|are) not there any ?more\b/i, 'no longer exists'],
  [/\bof so far\b|\bleft to be\b/i, 'so far, to'],
  [/\b(this|the) place (runs|stores)\b|\brun this place\b/i, 'this server'],
  [/\bat the most\b/i, 'at most'],
  [/\ba reviewer looks\b/i, 'a reviewer decides, a reviewer will look at it'],
  [/\bput (it )?away\b|\bthrown away\b/i, 'dismiss, delete'],
  [/\b(your|a) (own )?program (says|of yours)\b/i, 'your server, your own software'],
  [/^(Approve|Reject|Ask for changes|Take back), \{/, 'Approved: {who}'],
  [/\bleads? to (no|nobody)\b|\btells? nothing of\b/i, 'is not linked to, says nothing about'],
  [/\bdrawn among\b/i, 'winners drawn from'],
  [/\bcounts? for you once\b/i, 'counts once'],
  [/\b(wait|waits) (now|since|for a reviewer)\b/i, 'is waiting'],
];

/** What people stumbled over when they tried the product, word by word (lower case, straight apostrophes). */
const GONE: readonly string[] = [
  'have it counted',
  'see where it leads',
  'add it first',
  'is that wrong?',
  'changes asked for',
  'what became of it',
  'what was looked at',
  'as often as it counts',
  'something comes first',
  'a leader gives this one',
  'happens by itself',
  'stands behind one account',
  'so that we learn it',
  'belongs to a signed-in person',
  'sign in to come in',
  'no such page',
  'asked just now: still out',
  'cannot check is not removed',
  'one you left keeps your points',
  'whole board',
  'everybody here',
  'is not on its board',
  'got there {time}',
  'for the first of the board',
  'of the board, one ticket each',
  'held by {season}',
  'what is sent by the end counts',
  'repairs itself',
  'where your days end',
  'what you are told',
  'at most a day',
  'more than that is not sent',
  'by the clocks of',
  'several about one topic',
  'enough that day',
  'has had enough today',
  'it moves down as others come',
  "by this device's clock",
  'what you say stands',
  'why not, for {name}',
  'was written by somebody else before',
  'keys of the review',
  'claim before',
  'mark none',
  'nobody owes an answer',
  'give or take them',
  'points by hand',
  'what it hears',
  'days until it ends',
  'that the settings name',
  'percent that must be right',
  'what holds for everybody',
  'use a beginning',
  'told from visitors by telegram itself',
  'is given once and stays',
  'holds and how it feels',
  'equals the standings',
  'lacks something that leading takes',
  'whom it meets',
  'why these are one',
  'choose a part',
  'no source map of this build is kept',
  'beyond the cap of groups',
  'something mended',
  'told lately',
  'rooms of {product}',
  'today is in pencil',
  'their points count for all of them',
  'be at an event',
  'of {needed} person counts so far',
  "i've seen it: open",
  'not taken by the server',
  'who speaks them finds you',
  'still counts for so long',
  'what it says, in your words',
  'how it is done, and what you want to read',
  'characters at least',
  'leave empty for one',
  'imported, not here yet',
  'tell your own program',
  'told by telegram at',
  'how to have it out',
  'wishes to be erased',
  'goes when its time is over',
  'stands for itself',
  'on a server of their choice',
  'to mend what breaks',
  'is without you',
  'to be deleted in their turn',
  'a wrong press is no crime',
  'as the device says',
  'faster than people read',
  "this page can't read that number",
  'opens where it was left',
];
const plain = (text: string): string => text.replaceAll('’', "'").toLowerCase();

/** The texts of a message: itself, or those of its variants. */
function* textsOf(message: unknown): Generator<string> {
  if (typeof message === 'string') yield message;
  else if (Array.isArray(message)) for (const variant of message) yield* textsOf(variant);
  else if (message && typeof message === 'object')
    for (const [name, part] of Object.entries(message))
      if (name !== 'declarations' && name !== 'selectors') yield* textsOf(part);
}

/** Every text that people read, by where it is kept: the catalogues' messages, and the guides line by line. */
function* everyText(): Generator<readonly [string, string]> {
  for (const file of readdirSync(CATALOGUES).filter((name) => name.endsWith('.json')))
    for (const [key, message] of Object.entries(JSON.parse(readFileSync(new URL(file, CATALOGUES), 'utf8'))))
      for (const text of isLegal(key) ? [] : textsOf(message)) yield [key, text];
  for (const file of readdirSync(GUIDES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^\w.*\/.*\.md$/.test(name),
  ))
    for (const line of readFileSync(new URL(file, GUIDES), 'utf8').split('\n'))
      if (!line.startsWith('<!--')) yield [file, line];
}

test('no text has a habit that people read twice', () => {
  const found: string[] = [];
  let texts = 0;
  for (const [where, text] of everyText()) {
    texts += 1;
    for (const [habit, instead] of HABITS)
      if (habit.test(text)) found.push(`${where}: “${text}” (${habit.source}): say ${instead}`);
    for (const gone of GONE) if (plain(text).includes(gone)) found.push(`${where}: “${text}” (${gone})`);
  }
  expect(found).toEqual([]);
  expect(texts).toBeGreaterThan(3_000);
});

/** A place of the app in menus, headings and sentences, which take it as an input: a renamed place is one changed message. */
const PLACES = [
  'shell_today',
  'shell_leaderboard',
  'shell_explore',
  'shell_you',
  'shell_your_communities',
  'shell_to_communities',
  'shell_notifications',
  'shell_partnerships',
  'shell_guidelines',
  'shell_privacy',
  'shell_terms',
  'shell_cookies',
  'shell_learn_more',
  'desk_nav_communities',
  'desk_nav_partnerships',
];
/** The same word for another thing: a day, a person, a board that is chosen, a group of rows. */
const NOT_PLACES = [
  'member_period_today',
  'member_you',
  'member_step_you',
  'leader_board',
  'share_embed_board',
  'people_communities',
  'logs_fleet_push',
  'data_group_notices',
];

test('a place of the app is named by one message', () => {
  const texts = [...everyText()].filter(([key]) => /^[a-z]+_\w+$/.test(key));
  const names = new Map(texts.filter(([key]) => PLACES.includes(key)).map(([key, text]) => [text, key]));
  const twice = texts
    .filter(([key, text]) => names.has(text) && !PLACES.includes(key) && !NOT_PLACES.includes(key))
    .map(([key, text]) => `${key}: say m.${names.get(text)}()`);
  const inSentences = texts
    .filter(([, text]) => /\w (Today|Explore)\b/.test(text))
    .map(([key, text]) => `${key}: “${text}”: take the place’s name as an input, as {today} or {explore}`);
  expect([...twice, ...inSentences]).toEqual([]);
  expect(names.size).toBeGreaterThan(10);
});

const ROOMS = ['app', 'server', 'service-worker', 'tests', 'worker'];
/** Names that say too little: `AnalyticsScope`, `NormalizedMessage`, `CachedJson`, `Position` say which one. */
const TYPES = /\b(?:type|interface) (Asked|Said|Told|Known|Kept|Place)\b/;
/** Words that say too little in a function's name: `handleNews`, `storeDraft`, `recordAnswer` say what it does. */
const VAGUE = new Set(
  'told tell tells said says asked kept keep keeps hear hears heard known anew afresh somebody nobody'.split(' '),
);
const FUNCTION = /\b(?:function\*?|const|let) (\w+)(?:[(<]| = (?:async )?[({\w][^.]*=>)/;
const isVague = (name = ''): boolean => name.split(/(?=[A-Z])/).some((part) => VAGUE.has(part.toLowerCase()));
/** How no comment begins. */
const OPENINGS = /^(?:Whoever|Whom|Who (?:comes|has|wants)|Somebody|Anybody|Everybody|Nor|Of) /;
/** What no comment and no document says: words that screens avoid as well. */
const PRIVATE =
  /\b(?:whoever|somebody|anybody|everybody|so that|anew|afresh|meanwhile|likewise|else than|(?:became|becomes?) of|(?:by|of) (?:itself|themselves))\b/i;

/** The lines of a room's sources, with their place. */
function* linesOf(rooms: readonly string[]): Generator<readonly [string, string, string]> {
  for (const room of rooms)
    for (const file of readdirSync(new URL(`../../${room}/`, import.meta.url), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(file) || file.includes('paraglide') || file.endsWith('plain-words.test.ts')) continue;
      let before = '';
      for (const [at, line] of readFileSync(new URL(`../../${room}/${file}`, import.meta.url), 'utf8')
        .split('\n')
        .entries()) {
        yield [`${room}/${file}:${at + 1}: ${line.trim()}`, line, before];
        before = line;
      }
    }
}

test('no type and no function is called by a word that does not say what it is', () => {
  const found: string[] = [];
  let lines = 0;
  for (const [where, line] of linesOf(ROOMS)) {
    lines += 1;
    if (TYPES.test(line) || (!where.startsWith('tests') && isVague(FUNCTION.exec(line)?.[1]))) found.push(where);
  }
  expect(found).toEqual([]);
  expect(lines).toBeGreaterThan(100_000);
});

test('no comment of the product is one that people read twice', () => {
  const found: string[] = [];
  let comments = 0;
  for (const [where, line, before] of linesOf(ROOMS.filter((room) => room !== 'tests'))) {
    const text = /^\s*\{?(?:\/\*\*?|\*|\/\/)\s+(.*)|\s\/\/ (.*)/.exec(line)?.slice(1).join('');
    if (text === undefined) continue;
    comments += 1;
    const begins = !/^\s*\*/.test(line) && !/^\s*\/\//.test(before) && !before.trim().endsWith('/**');
    const opens = begins || /^\s*\/\*\*$/.test(before);
    if (PRIVATE.test(text) || (opens && OPENINGS.test(text))) found.push(where);
  }
  expect(found).toEqual([]);
  expect(comments).toBeGreaterThan(6_000);
});

test('no document says what people read twice', () => {
  const found: string[] = [];
  const pages = readdirSync(new URL('../../docs/', import.meta.url), { recursive: true, encoding: 'utf8' });
  const files = ['README.md', 'CONTRIBUTING.md', ...pages.map((page) => `docs/${page}`)];
  for (const file of files.filter((name) => /\.md$/.test(name) && !name.includes('/figures/')))
    for (const [at, line] of readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
      .split('\n')
      .entries())
      if (PRIVATE.test(line)) found.push(`${file}:${at + 1}: ${line}`);
  expect(found).toEqual([]);
  expect(files.length).toBeGreaterThan(50);
});
