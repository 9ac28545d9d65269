import { createHash } from 'node:crypto';
import type { Frame } from '../../contract/ops-logs.ts';
import { lru } from '../../domain/lru.ts';
import type { Resolve } from './maps.ts';
import { type NormalizedMessage, normalize, wordsAlone } from './message.ts';
import { framesOf } from './stack.ts';

/** What of an entry decides about its group; shown to ops as "why grouped". */
export type Why = { type: string; message: string; frames: string[] };
export type Grouped = {
  version: number;
  fingerprint: Buffer;
  /** The fingerprint as text, to look it up by. */
  key: string;
  why: Why;
  culprit: string | null;
  type: string;
};
/** What each rule makes of an error, newest first. */
export type Grouping = [Grouped, ...Grouped[]];

/** A way to group. Released ones never change: a better one is a new version beside it. */
export type GroupRule = { version: number; why(normalized: NormalizedMessage, frames: readonly RuleFrame[]): Why };
type RuleFrame = Frame & { isAsync: boolean };

/** Frames that identify an error: for a browser's own error its location, for ours also the caller. */
const FRAMES_OF_ENGINES = 1;
const FRAMES_OF_OURS = 2;

const first: GroupRule = {
  version: 1,
  why(normalized, frames) {
    const own = frames.filter(({ inApp }) => inApp);
    const top = own
      .slice(0, 1)
      .concat(
        own.slice(1).filter(({ isAsync }, at, rest) => !isAsync && !rest.slice(0, at).some((one) => one.isAsync)),
      );
    const decisive = top.slice(0, normalized.isEngines ? FRAMES_OF_ENGINES : FRAMES_OF_OURS).map(locationOf);
    // A script of another origin, or a missing chunk: the location says nothing.
    const isPlaceless = normalized.type === 'ChunkLoadError' || normalized.text === 'script error of another origin';
    const isMapped = top[0]?.original === true && !isPlaceless;
    return {
      type: normalized.type,
      message: isMapped ? wordsAlone(normalized) : normalized.text,
      frames: isPlaceless ? [] : decisive,
    };
  },
};

/** Newest first. */
export const GROUP_RULES: readonly GroupRule[] = [first];

/**
 * A location that survives builds: for mapped frames the file and the code line, not its number; otherwise the script
 * without its hash, and the function unless its name is minified.
 */
function locationOf(frame: RuleFrame): string {
  if (frame.original) {
    const line = frame.code?.lines[(frame.line ?? 0) - frame.code.start]?.trim().replace(/\s+/g, ' ') ?? '';
    return `${frame.file} · ${frame.function ?? ''} · ${line.slice(0, 160)}`;
  }
  const script = (frame.file ?? '').replace(/^.*\//, '').replace(/-[\w-]{8}(?=\.js$)/, '');
  const name = frame.function !== null && frame.function.length > 3 ? frame.function : '';
  return `${script} · ${name}`;
}

const fingerprintOf = (version: number, why: Why): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([version, why.type, why.message, why.frames]))
    .digest()
    .subarray(0, 16);

/** The stack's frames, mapped to the sources as far as possible. */
export function stackOf(stack: unknown, release: string | null, resolve: Resolve): RuleFrame[] {
  if (typeof stack !== 'string') return [];
  let isAsync = false;
  return framesOf(stack).map((raw) => {
    isAsync ||= raw.isAsync;
    return { ...resolve(raw, release), isAsync };
  });
}

export type Grouper = (
  entry: { message: string; stack: unknown; release: string | null },
  rules?: readonly GroupRule[],
) => Grouping;

const SEEN_MAX = 2_000;

/** Groups errors by every rule, newest first, remembering what it has seen: the same crash comes many times. */
export function createGrouper(resolve: Resolve): Grouper {
  const seen = lru<Grouping>(SEEN_MAX);
  return ({ message, stack, release }, rules = GROUP_RULES) => {
    // A digest: what strangers send must not fill the memory.
    const key = createHash('sha1')
      .update(JSON.stringify([rules.map(({ version }) => version), release, stack, message.slice(0, 2_000)]))
      .digest('base64');
    return seen.get(key) ?? seen.set(key, grouped(message, stackOf(stack, release, resolve), rules));
  };
}

/** What was cut may end in half a character, which PostgreSQL takes into no JSON: the batch would never be ingested. */
const wellFormed = ({ type, message, frames }: Why): Why => ({
  type: type.toWellFormed(),
  message: message.toWellFormed(),
  frames: frames.map((frame) => frame.toWellFormed()),
});

function grouped(message: string, frames: readonly RuleFrame[], rules: readonly GroupRule[]): Grouping {
  const normalized = normalize(message);
  const own = frames.find(({ inApp }) => inApp);
  const culprit = own?.file ? `${own.file}${own.function ? ` in ${own.function}` : ''}`.slice(0, 300) : null;
  const [newest, ...older] = rules.map((rule): Grouped => {
    const why = wellFormed(rule.why(normalized, frames));
    const fingerprint = fingerprintOf(rule.version, why);
    const key = fingerprint.toString('base64');
    return { version: rule.version, fingerprint, key, why, culprit, type: normalized.type };
  });
  if (!newest) throw new Error('there is no grouping rule');
  return [newest, ...older];
}
