import {
  MINI_APP_SESSION_ABSOLUTE_MS,
  SESSION_ABSOLUTE_MS,
  SESSION_IDLE_MS,
  SIGN_IN_ATTEMPT_MS,
} from '../../../server/contract/limits.ts';
import { ERASURE_WAIT_DAYS } from '../../../server/contract/person-limits.ts';
import type { PolicyName } from '../../../server/contract/policies.ts';
import { signedInCookie } from '../../../server/contract/sw-messages.ts';
import { m } from '../../paraglide/messages.js';
import { deviceFacts, elsewhereFacts, type Fact, storedFacts, timeWords } from './stored-facts.ts';

export type LegalPage = PolicyName;
/** A section of a policy: paragraphs, then lines; `facts` are stored items with explanations. */
export type Part = {
  /** Link target; default the section's number. */
  id?: string;
  title: string;
  paragraphs?: readonly string[];
  lines?: readonly string[];
  facts?: readonly Fact[];
};
export type Policy = { title: string; lead: string; parts: readonly Part[] };
/** The operator's details. Archived versions contain the tokens `{product}` and `{host}`. */
export type PolicyContext = { product: string; host: string; isSecure: boolean };

const operator = ({ product, host }: PolicyContext) => m.public_legal_operator({ product, host });

function guidelines(): Policy {
  return {
    title: m.shell_guidelines(),
    lead: m.public_guidelines_lead(),
    parts: [
      { title: m.public_guidelines_1(), paragraphs: [m.public_guidelines_1_p1()] },
      { title: m.public_guidelines_2(), paragraphs: [m.public_guidelines_2_p1()] },
      {
        title: m.public_guidelines_3(),
        paragraphs: [m.public_guidelines_3_p1()],
        lines: [
          m.public_guidelines_3_l1(),
          m.public_guidelines_3_l2(),
          m.public_guidelines_3_l3(),
          m.public_guidelines_3_l4(),
        ],
      },
      { title: m.public_guidelines_4(), paragraphs: [m.public_guidelines_4_p1()] },
      { title: m.public_guidelines_5(), paragraphs: [m.public_guidelines_5_p1()] },
      { title: m.public_guidelines_6(), paragraphs: [m.public_guidelines_6_p1()] },
    ],
  };
}

function privacy(context: PolicyContext): Policy {
  return {
    title: m.public_privacy_title(),
    lead: m.public_privacy_lead(),
    parts: [
      { title: m.public_privacy_1(), paragraphs: [operator(context), m.public_privacy_1_p2()] },
      { id: 'stored', title: m.public_privacy_2(), paragraphs: [m.public_privacy_2_p1()], facts: storedFacts() },
      { title: m.public_privacy_2_else(), facts: elsewhereFacts() },
      { title: m.public_privacy_3(), paragraphs: [m.public_privacy_3_p1()] },
      { title: m.public_privacy_4(), paragraphs: [m.public_privacy_4_p1(), m.public_privacy_4_p2()] },
      { title: m.public_privacy_5(), paragraphs: [m.public_privacy_5_p1()] },
      { title: m.public_privacy_6(), paragraphs: [m.public_privacy_6_p1()] },
      {
        id: 'rights',
        title: m.public_privacy_8(),
        paragraphs: [
          m.public_privacy_8_p1(),
          m.public_privacy_8_p2({ days: ERASURE_WAIT_DAYS }),
          m.public_privacy_8_p3(),
        ],
      },
      { title: m.public_privacy_9(), paragraphs: [m.public_privacy_9_p1()] },
      { title: m.public_privacy_10(), paragraphs: [m.public_privacy_10_p1()] },
    ],
  };
}

function terms(context: PolicyContext): Policy {
  return {
    title: m.shell_terms(),
    lead: m.public_terms_lead(),
    parts: [
      { title: m.public_terms_1(), paragraphs: [operator(context), m.public_terms_1_p2()] },
      { title: m.public_terms_2(), paragraphs: [m.public_terms_2_p1()] },
      { title: m.public_terms_3(), paragraphs: [m.public_terms_3_p1()] },
      { title: m.public_terms_4(), paragraphs: [m.public_terms_4_p1()] },
      { title: m.public_terms_5(), paragraphs: [m.public_terms_5_p1()] },
      { title: m.public_terms_6(), paragraphs: [m.public_terms_6_p1()] },
      { title: m.public_terms_7(), paragraphs: [m.public_terms_7_p1()] },
      { title: m.public_terms_8(), paragraphs: [m.public_terms_8_p1()] },
    ],
  };
}

function cookies(context: PolicyContext): Policy {
  return {
    title: m.public_cookies_title(),
    lead: m.public_cookies_lead(),
    parts: [
      { title: m.public_cookies_1(), facts: cookieFacts(context) },
      { title: m.public_cookies_2(), paragraphs: [m.public_cookies_2_p1()], facts: deviceFacts() },
      { title: m.public_cookies_3(), paragraphs: [m.public_cookies_3_p1()] },
      { title: m.public_cookies_4(), paragraphs: [m.public_cookies_4_p1()] },
    ],
  };
}

/** Over HTTPS the cookies are bound to this host, which their names show. */
function cookieFacts({ isSecure }: PolicyContext): Fact[] {
  const nameOf = (name: string) => (isSecure ? `__Host-${name}` : name);
  const session = m.public_cookies_session_long({
    idle: timeWords(SESSION_IDLE_MS),
    most: timeWords(SESSION_ABSOLUTE_MS),
  });
  const attempt = m.public_cookies_attempt_long({ time: timeWords(SIGN_IN_ATTEMPT_MS) });
  return [
    { name: nameOf('sid'), code: true, what: m.public_cookies_sid(), more: [session] },
    { name: signedInCookie(isSecure), code: true, what: m.public_cookies_signed_in(), more: [session] },
    {
      name: nameOf('sid-tma'),
      code: true,
      what: m.public_cookies_tma(),
      more: [timeWords(MINI_APP_SESSION_ABSOLUTE_MS)],
    },
    { name: nameOf('signin'), code: true, what: m.public_cookies_attempt(), more: [attempt] },
  ];
}

/** The text of each page, in the page's language. */
export const policies: Record<LegalPage, (context: PolicyContext) => Policy> = { guidelines, privacy, terms, cookies };

/** A section for archive and comparison: a title and its lines, without formatting. */
export type PlainPart = { title: string; lines: string[] };
export const plain = ({ parts }: Policy): PlainPart[] =>
  parts.map(({ title, paragraphs = [], lines = [], facts = [] }) => ({
    title,
    lines: [...paragraphs, ...lines, ...facts.map(({ name, what, more }) => `${name}: ${[what, ...more].join(' ')}`)],
  }));
