import { product } from '../../lib/product.ts';
import { m } from '../../paraglide/messages.js';

export type LegalPage = 'guidelines' | 'privacy' | 'terms' | 'cookies';
/** A part of a policy: paragraphs, then lines; `facts` are what the cookie policy lists. */
export type Part = {
  title: string;
  paragraphs?: readonly string[];
  lines?: readonly string[];
  facts?: readonly Fact[];
};
/** Something kept on a device: its name as the browser shows it, what for, how long. */
export type Fact = { name: string; code: boolean; what: string; long: string };
export type Policy = { title: string; lead: string; version: string; inForceSince: string; parts: readonly Part[] };

/** Every text began on this day; a change gives its page a new version and date. */
const FIRST_DAY = '2026-11-21';
const operator = () => m.public_legal_operator({ product: product.name, host: globalThis.location.host });

function guidelines(): Policy {
  return {
    title: m.public_guidelines_title(),
    lead: m.public_guidelines_lead(),
    version: '1.0',
    inForceSince: FIRST_DAY,
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

function privacy(): Policy {
  return {
    title: m.public_privacy_title(),
    lead: m.public_privacy_lead(),
    version: '1.1',
    inForceSince: '2026-11-26',
    parts: [
      { title: m.public_privacy_1(), paragraphs: [operator(), m.public_privacy_1_p2()] },
      {
        title: m.public_privacy_2(),
        lines: [
          m.public_privacy_2_l1(),
          m.public_privacy_2_l2(),
          m.public_privacy_2_l3(),
          m.public_privacy_2_l4(),
          m.public_privacy_2_l5(),
          m.public_privacy_2_l6(),
          m.public_privacy_2_l7(),
          m.public_privacy_2_l8(),
        ],
      },
      { title: m.public_privacy_3(), paragraphs: [m.public_privacy_3_p1()] },
      { title: m.public_privacy_4(), paragraphs: [m.public_privacy_4_p1(), m.public_privacy_4_p2()] },
      { title: m.public_privacy_5(), paragraphs: [m.public_privacy_5_p1()] },
      { title: m.public_privacy_6(), paragraphs: [m.public_privacy_6_p1()] },
      {
        title: m.public_privacy_7(),
        lines: [
          m.public_privacy_7_l1(),
          m.public_privacy_7_l2(),
          m.public_privacy_7_l3(),
          m.public_privacy_7_l4(),
          m.public_privacy_7_l5(),
        ],
      },
      { title: m.public_privacy_8(), paragraphs: [m.public_privacy_8_p1(), m.public_privacy_8_p2()] },
      { title: m.public_privacy_9(), paragraphs: [m.public_privacy_9_p1()] },
      { title: m.public_privacy_10(), paragraphs: [m.public_privacy_10_p1()] },
    ],
  };
}

function terms(): Policy {
  return {
    title: m.public_terms_title(),
    lead: m.public_terms_lead(),
    version: '1.0',
    inForceSince: FIRST_DAY,
    parts: [
      { title: m.public_terms_1(), paragraphs: [operator(), m.public_terms_1_p2()] },
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

function cookies(): Policy {
  return {
    title: m.public_cookies_title(),
    lead: m.public_cookies_lead(),
    version: '1.0',
    inForceSince: FIRST_DAY,
    parts: [
      { title: m.public_cookies_1(), facts: cookieFacts() },
      { title: m.public_cookies_2(), paragraphs: [m.public_cookies_2_p1()], facts: storageFacts() },
      { title: m.public_cookies_3(), paragraphs: [m.public_cookies_3_p1()] },
      { title: m.public_cookies_4(), paragraphs: [m.public_cookies_4_p1()] },
    ],
  };
}

/** Over HTTPS browsers hold the cookies to this very host, and their names say so. */
const cookieName = (name: string) => (globalThis.location.protocol === 'https:' ? `__Host-${name}` : name);

const cookieFacts = (): Fact[] => [
  { name: cookieName('sid'), code: true, what: m.public_cookies_sid(), long: m.public_cookies_sid_long() },
  { name: cookieName('sid-tma'), code: true, what: m.public_cookies_tma(), long: m.public_cookies_tma_long() },
  { name: cookieName('signin'), code: true, what: m.public_cookies_attempt(), long: m.public_cookies_attempt_long() },
];
const storageFacts = (): Fact[] => [
  { name: m.public_cookies_db_name(), code: false, what: m.public_cookies_db(), long: m.public_cookies_db_long() },
  {
    name: m.public_cookies_caches_name(),
    code: false,
    what: m.public_cookies_caches(),
    long: m.public_cookies_caches_long(),
  },
  {
    name: m.public_cookies_theme_name(),
    code: false,
    what: m.public_cookies_theme(),
    long: m.public_cookies_theme_long(),
  },
];

/** The text of each page, in the page's language. */
export const policies: Record<LegalPage, () => Policy> = { guidelines, privacy, terms, cookies };
