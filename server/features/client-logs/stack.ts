import { parseStack } from 'error-stack-parser-es/lite';

/** One frame as the browser wrote it. Lines and columns count from 1. */
export type RawFrame = {
  function: string | null;
  /** URL or path of the script. */
  file: string | null;
  line: number | null;
  column: number | null;
  /** After an `await` or a timer: frames from here on did not call the ones above. */
  isAsync: boolean;
};

const FRAMES_MAX = 40;
/** The patterns are not linear in a line's length; real frames are far shorter. */
const LINE_MAX = 400;
const V8_FRAME = /^\s{0,20}at /;
const NATIVE = '[native code]';
/** Firefox's position in code made by `eval` or `new Function`: the line that made it is used. */
const GECKO_MADE = / line (\d{1,7}) > \w{1,30}(?: line \d{1,7} > \w{1,30})*:\d{1,7}:\d{1,7}$/;

/** Frames of a Chromium, Firefox or Safari stack, innermost first. Empty when there are none. */
export function framesOf(stack: string): RawFrame[] {
  const lines = stack.split('\n', 200).filter((line) => line.length <= LINE_MAX);
  const v8 = lines.filter((line) => V8_FRAME.test(line));
  // A message may hold an @; with frames of the one form, lines of the other are text.
  const frames = v8.length > 0 ? v8 : lines.map((line) => line.replace(GECKO_MADE, ':$1')).filter(isGeckoFrame);
  return frames.slice(0, FRAMES_MAX).flatMap(readFrame);
}

/** Whether a line of a stack is a frame, not part of the message. */
export const isFrame = (line: string): boolean => V8_FRAME.test(line) || isGeckoFrame(line.replace(GECKO_MADE, ':$1'));

/** `name@script:line:column`, as Firefox and Safari write it; the name, or the column, may be missing. */
function isGeckoFrame(line: string): boolean {
  if (line.endsWith(NATIVE)) return line === NATIVE || line.endsWith(`@${NATIVE}`);
  const location = line.slice(line.lastIndexOf(' ') + 1);
  if (location.includes('@')) return /:\d{1,7}$/.test(location);
  return location === line && /:\d{1,7}:\d{1,7}$/.test(location);
}

const NO_FILE = new Set(['', NATIVE, 'native', '(native)']);

function readFrame(line: string): RawFrame[] {
  const isAsync = /^\s*at async |^(?:async|promise callback|setTimeout handler|promise|await)\*/.test(line);
  const plain = line
    .replace('(<anonymous>)', '(native)')
    .replace(/^\s*at async /, '    at ')
    .replace(/^[\w ]{1,30}\*/, '');
  const [frame] = parseStack(plain);
  if (!frame) return [];
  const file = frame.file === undefined || NO_FILE.has(frame.file) ? null : frame.file;
  return [
    {
      function: functionOf(frame.function),
      file,
      line: positive(frame.line),
      column: positive(frame.col),
      isAsync,
    },
  ];
}

/** Engines dress the same function differently: `new`, `Object.`, aliases, Firefox's paths. */
function functionOf(name: string | undefined): string | null {
  const plain = (name ?? '')
    .replace(/^(?:async|new|get|set) /, '')
    .replace(/ \[as [^\]]{1,100}\]$/, '')
    .replace(/[/<]{1,20}$/, '');
  const last = plain.split(/[./]/).at(-1) ?? '';
  return last === '' || /^(?:anonymous|<anonymous>|\?|eval|global code|module code)$/.test(last)
    ? null
    : last.slice(0, 120);
}

const positive = (value: number | undefined): number | null =>
  value !== undefined && Number.isSafeInteger(value) && value > 0 && value < 2 ** 31 ? value : null;
