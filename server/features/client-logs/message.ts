/** An error's message without the parts that differ between occurrences. */
export type NormalizedMessage = {
  type: string;
  /** The normalized text. */
  text: string;
  /** The text is the browser's and differs by engine: the code's location identifies it better. */
  isEngines: boolean;
};

const PREFIX = /^(?:Uncaught |\(in promise\) |Unhandled (?:Promise )?Rejection:? |Error caught: )+/i;
const TYPE = /^((?:[A-Z][A-Za-z]{0,40})?(?:Error|Exception|Warning)|Error)(?: \[[\w.-]{1,60}\])?: /;

/** Names under which browsers raise the same thing. */
const SAME_TYPE: Readonly<Record<string, string>> = { InternalError: 'RangeError', DOMException: 'Error' };

/** Types whose words are the browser's own (DOMException names). */
const DOM_TYPES = new Set([
  'AbortError',
  'ConstraintError',
  'DataCloneError',
  'DataError',
  'InvalidAccessError',
  'InvalidStateError',
  'NetworkError',
  'NotAllowedError',
  'NotFoundError',
  'NotReadableError',
  'NotSupportedError',
  'OperationError',
  'QuotaExceededError',
  'ReadOnlyError',
  'SecurityError',
  'TimeoutError',
  'TransactionInactiveError',
  'UnknownError',
  'VersionError',
]);

type EngineMessage = { pattern: RegExp; type: string; text: string };
/** The three engines' messages for the same mistake. `$1` is the name that distinguishes two. */
const ENGINE_MESSAGES: readonly EngineMessage[] = [
  { pattern: /^Script error\.?$/i, type: 'Error', text: 'script error of another origin' },
  { pattern: /^ResizeObserver loop /, type: 'Error', text: 'ResizeObserver loop' },
  {
    pattern:
      /Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Loading (?:CSS )?chunk \S{1,80} failed|Unable to preload CSS|ChunkLoadError|^Could not load \S{1,300}\/assets\/\S{1,200}\.(?:js|css)$/i,
    type: 'ChunkLoadError',
    text: 'a part of the app could not be loaded',
  },
  {
    pattern:
      /^(?:Failed to fetch|NetworkError when attempting to fetch resource\.?|Load failed|network error|The network connection was lost\.?|The Internet connection appears to be offline\.?|The request timed out\.?|A server with the specified hostname could not be found\.?|Could not connect to the server\.?)$/i,
    type: 'TypeError',
    text: 'the network failed',
  },
  {
    pattern:
      /^Cannot (?:read|set) propert(?:y|ies) (?:['"]([^'"]{1,80})['"] )?of (?:undefined|null)(?: \((?:reading|setting) '([^']{1,80})'\))?$/,
    type: 'TypeError',
    text: 'property of nothing',
  },
  {
    pattern: /^can't (?:access|assign to) property "?([^",]{1,80})"?(?:,.{0,200})? (?:is|of) (?:undefined|null)$/,
    type: 'TypeError',
    text: 'property of nothing',
  },
  {
    pattern:
      /^(?:undefined|null) is not an object(?: \(evaluating '(?:.{0,200}[.\]?])?([\w$]{0,80})(?: = .{0,200})?'\))?$/,
    type: 'TypeError',
    text: 'property of nothing',
  },
  {
    pattern: /^(?:.{0,200}\.)?([\w$]{1,80})(?:\(\.\.\.\))? is (?:undefined|null)$/,
    type: 'TypeError',
    text: 'property of nothing',
  },
  {
    pattern: /^Cannot destructure property '([^']{1,80})' of .{1,200}$/,
    type: 'TypeError',
    text: 'property of nothing',
  },
  { pattern: /^Right side of assignment cannot be destructured$/, type: 'TypeError', text: 'property of nothing' },
  {
    pattern:
      /is not iterable|is not a function \(near '\.\.\.|Spread syntax requires|undefined is not a function \(near/,
    type: 'TypeError',
    text: 'not iterable',
  },
  {
    pattern: /^(?:.{0,300}[.\]])?([\w$]{1,80})(?:\(\.\.\.\))? is not a function(?:\. \(In .{0,500}\))?$/,
    type: 'TypeError',
    text: 'not a function',
  },
  {
    pattern: /^(?:undefined|null) is not a function(?: \(evaluating .{0,300}\))?$/,
    type: 'TypeError',
    text: 'not a function',
  },
  {
    pattern: /^(?:Can't find variable: )?([\w$]{1,80})(?: is not defined)?$(?<=is not defined|variable: [\w$]{1,80})/,
    type: 'ReferenceError',
    text: 'not defined',
  },
  {
    pattern:
      /^(?:Cannot access '([^']{1,80})' before initialization|can't access lexical declaration '([^']{1,80})' before initialization|Cannot access uninitialized variable\.?)$/,
    type: 'ReferenceError',
    text: 'used before it is made',
  },
  {
    pattern:
      /^(?:Assignment to constant variable\.|invalid assignment to const '?([\w$]{1,80})'?|Attempted to assign to readonly property\.)$/,
    type: 'TypeError',
    text: 'assignment to a constant',
  },
  {
    pattern: /^(?:Maximum call stack size exceeded\.?|too much recursion)$/,
    type: 'RangeError',
    text: 'endless recursion',
  },
  {
    pattern:
      /JSON\.parse: |is not valid JSON|JSON Parse error|Unexpected end of JSON input|Unexpected token .{1,20} in JSON/,
    type: 'SyntaxError',
    text: 'not JSON',
  },
  {
    pattern: /^Invalid (?:time value|Date)$|^invalid date$|^date value is not finite/i,
    type: 'RangeError',
    text: 'no valid date',
  },
  {
    pattern:
      /^Invalid array length$|^invalid array length$|^Array size is not a small enough positive integer\.?$|^Array length must be a positive integer/i,
    type: 'RangeError',
    text: 'no valid length',
  },
  {
    pattern: /[Cc]ircular structure|cyclic object value|cyclic structures/,
    type: 'TypeError',
    text: 'circular structure',
  },
  {
    pattern: /[Qq]uota ?[Ee]xceeded|exceeded the quota|reached its (?:max|maximum) size/,
    type: 'QuotaExceededError',
    text: 'no room left',
  },
  {
    pattern:
      /node to be removed is not a child|node before which the new node is to be inserted is not a child|^The object can not be found here\.?$/,
    type: 'NotFoundError',
    text: 'a node is not where it was',
  },
  {
    pattern:
      /^(?:The user aborted a request|The operation was aborted|Fetch is aborted|signal is aborted without reason|The operation was cancell?ed)/i,
    type: 'AbortError',
    text: 'aborted',
  },
  { pattern: /^(?:signal timed out|The operation timed out)/i, type: 'TimeoutError', text: 'timed out' },
];

const TYPES_OF_ENGINES = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'Error']);

/** Type and normalised words of an error's message, as in `TypeError: x is undefined`. */
export function normalize(message: string): NormalizedMessage {
  const [first = ''] = message.slice(0, 2_000).replace(PREFIX, '').split('\n');
  const named = TYPE.exec(first);
  const given = named?.[1] ?? 'Error';
  const rest = (named ? first.slice(named[0].length) : first).trim();
  const type = SAME_TYPE[given] ?? given;
  if (TYPES_OF_ENGINES.has(type) || DOM_TYPES.has(type) || type === 'ChunkLoadError')
    for (const candidate of ENGINE_MESSAGES) {
      const match = candidate.pattern.exec(rest);
      if (match) {
        const name = match.slice(1).find((found) => found !== undefined && found !== '');
        return {
          type: candidate.type,
          text: name === undefined ? candidate.text : `${candidate.text}: ${name}`,
          isEngines: true,
        };
      }
    }
  return { type, text: parametrised(rest), isEngines: DOM_TYPES.has(type) };
}

/** Only the words of an engine's message; the location in the code identifies the rest. */
export function wordsAlone(normalized: NormalizedMessage): string {
  if (!normalized.isEngines) return normalized.text;
  // A DOM exception's name identifies it; engines word the message differently.
  if (DOM_TYPES.has(normalized.type)) return '';
  return (
    ENGINE_MESSAGES.find(({ text }) => normalized.text === text || normalized.text.startsWith(`${text}: `))?.text ?? ''
  );
}

/** Each step sees what the one before left. Bounded quantifiers: the text is a stranger's. */
const STEPS: readonly [RegExp, string][] = [
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)\]]{1,1000}/gi, '<url>'],
  [/\bMinified React error #(\d{1,4})\b.*/g, 'React error $1'],
  [/\b(HTTP|status(?: code)?|code)([ :=]{1,3})([1-5]\d\d)\b/gi, '$1$2<kept>$3<kept>'],
  [/(?:^|(?<=[\s(=:]))\/[\w.~%@:-]{1,100}(?:\/[\w.~%@:-]{0,100}){0,20}/g, '<path>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b[\w.+-]{1,64}@[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}\b/g, '<mail>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/(["'`\u201c\u2018«])[^"'`\u201d\u2019»\n]{0,300}["'`\u201d\u2019»]/g, '<text>'],
  [/(^|\s)@\w{2,40}/g, '$1<name>'],
  [/\b(?=[a-z]*\d)(?=[0-9]*[a-z])[0-9a-f]{8,64}\b/gi, '<id>'],
  [/\b(?=\w*\d)(?=\w*[A-Za-z])[\w-]{16,128}\b/g, '<id>'],
  [/[#-]?\b\d[\d.,_]{0,40}/g, '<n>'],
  [/<kept><n><kept>/g, ''],
  [/\s{1,100}/g, ' '],
];

function parametrised(text: string): string {
  // A number to keep is spelled in letters, which later steps do not replace.
  const letters = (digits: string) => [...digits].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('');
  let out = text.slice(0, 1_000);
  for (const [pattern, replacement] of STEPS) {
    out = out.replace(pattern, replacement);
    out = out.replace(/<kept>(\d{3})<kept>/g, (_match, digits: string) => `<${letters(digits)}>`);
    out = out.replace(/React error (\d{1,4})/g, (_match, digits: string) => `React error <${letters(digits)}>`);
  }
  return out.trim().slice(0, 300);
}
