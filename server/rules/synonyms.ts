/**
 * Words that people use and words that guides use. Curated by hand: each group means the same here, in a community that
 * counts what its members do, and nowhere else. Stemmed where they are used.
 */
export const SYNONYMS: readonly (readonly string[])[] = [
  ['reject', 'refuse', 'decline', 'deny', 'disallow', 'uncounted'],
  ['approve', 'accept', 'confirm', 'grant'],
  ['review', 'check', 'judge', 'moderate'],
  ['reviewer', 'moderator'],
  ['leader', 'organiser', 'organizer', 'owner', 'founder'],
  ['operator', 'administrator', 'admin', 'host'],
  ['appeal', 'object', 'dispute', 'contest', 'complain', 'protest'],
  ['claim', 'submission', 'answer', 'entry', 'proof'],
  ['task', 'quest', 'challenge', 'mission', 'activity', 'job'],
  ['points', 'score', 'xp'],
  ['level', 'tier'],
  ['miss', 'skip', 'forget'],
  ['freeze', 'shield'],
  ['leaderboard', 'board', 'ranking', 'standings', 'scoreboard'],
  ['rank', 'place', 'position'],
  ['tie', 'draw', 'equal', 'same'],
  ['reward', 'prize', 'gift', 'win'],
  ['raffle', 'lottery', 'draw'],
  ['season', 'contest', 'campaign', 'competition'],
  ['offline', 'disconnected', 'connection', 'internet', 'network', 'signal', 'reception'],
  ['save', 'keep', 'kept'],
  ['pencil', 'dashed', 'unsent', 'pending'],
  ['wait', 'pending', 'queue'],
  ['send', 'sync', 'upload', 'submit', 'deliver'],
  ['install', 'download', 'add'],
  ['phone', 'mobile', 'handset', 'smartphone'],
  ['computer', 'laptop', 'desktop', 'pc', 'mac'],
  ['iphone', 'ipad', 'ios', 'apple', 'safari'],
  ['photo', 'picture', 'image', 'camera', 'snapshot'],
  ['x', 'twitter'],
  ['post', 'tweet'],
  ['username', 'handle', 'nickname'],
  ['link', 'connect', 'attach', 'bind'],
  ['account', 'profile'],
  ['delete', 'erase', 'remove', 'wipe'],
  ['session', 'device'],
  ['notification', 'alert', 'push', 'reminder', 'ping'],
  ['quiet', 'silent', 'mute', 'night'],
  ['rule', 'guideline', 'regulation'],
  ['join', 'enter'],
  ['private', 'hidden', 'secret'],
  ['start', 'create', 'found', 'open', 'begin'],
  ['money', 'cash', 'dollar', 'pay', 'currency'],
  ['sell', 'trade', 'exchange', 'withdraw', 'redeem'],
  ['reverse', 'undo', 'revoke', 'cancel'],
  ['ledger', 'history', 'record', 'log'],
  ['backup', 'restore'],
  ['change', 'switch', 'swap', 'edit', 'modify'],
  ['zone', 'timezone'],
  ['assistant', 'chatbot', 'bot', 'ai', 'model'],
  ['privacy', 'private', 'personal'],
  ['data', 'information', 'details'],
  ['limit', 'quota', 'maximum', 'most'],
  ['late', 'delay'],
  ['midnight', 'day'],
  ['lock', 'unavailable', 'blocked', 'closed'],
  ['channel', 'group', 'chat'],
  ['announcement', 'news', 'notice'],
  ['meet', 'gather', 'event', 'meeting'],
  ['bring', 'carry', 'pack', 'need'],
  ['allow', 'permit', 'may'],
  ['fair', 'honest', 'rigged', 'legit'],
  ['break', 'broken', 'broke'],
  ['community', 'club', 'group'],
  ['cost', 'price', 'fee'],
  ['mistake', 'wrong', 'error', 'accident', 'incorrect'],
  ['hike', 'walk', 'trip', 'tour'],
  ['ride', 'car', 'drive', 'lift'],
  ['drop', 'fall', 'fell', 'lower', 'sink', 'lose', 'lost'],
  ['winner', 'win', 'won'],
  ['choose', 'chosen', 'select', 'pick', 'decide'],
  ['kick', 'ban', 'remove', 'expel'],
  ['friend', 'invite', 'referral', 'refer'],
  ['password', 'credentials'],
  ['location', 'gps', 'place'],
  ['disagree', 'appeal'],
  ['children', 'child', 'kid'],
  ['lamp', 'headlamp', 'torch', 'light'],
];

/** Several words that mean one of the above. */
export const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(no|not|never|none|nothing|without|cannot)\b|n't\b/g, ' negated '],
  [/\b(turn|switch|shut)\w*( \w+){0,3} off\b|\boff\b|\b(disable|deactivate|mute|stop|silence)\w*\b/g, ' turnoff '],
  [/\b(turn|switch)\w*( \w+){0,3} on\b|\b(enable|activate)\w*\b|\bon$/g, ' turnon '],
  [/\b(unlink|disconnect|detach)\w*\b/g, ' unlink '],
  [/\b(go|going|get|getting) out (of|from)\b|\b(quit|exit)\w*\b/g, ' leave '],
  [
    /\b(no|without|bad|poor|losing|lost|lose)( an?| any| my| the)? (connection|internet|network|signal|reception|wi-?fi|data)\b/g,
    ' offline ',
  ],
  [/\b(in|on) (a|the) (train|tunnel|plane|subway|lift|hill)\b|\b(air|aero)?plane mode\b|\bunderground\b/g, ' offline '],
  [/\b(sign|signing|signed|log|logging|logged)[ -]?(in|on)(to)?\b|\blogin\b/g, ' signin '],
  [/\b(sign|signing|signed|log|logging|logged)[ -]?(out|off)\b|\blogout\b/g, ' signout '],
  [/\bhome ?screen\b/g, ' homescreen '],
  [/\btime ?zone\b/g, ' zone '],
  [/\bhow long\b/g, ' howlong time '],
  [/\b(take|took|taken|taking)( (it|that|them|something|points))? (back|away)\b/g, ' takeback reverse '],
  [/\bturn(ed|s|ing)? (me )?down\b|\bnot (count|counted|accepted)\b/g, ' reject '],
  [/\bsays? no\b/g, ' reject '],
  [/\bspeak up against\b|\bdo(n'?t| not) agree\b|\bdisagree\b|\bunfair(ly)?\b/g, ' appeal '],
  [/\btelegram name\b/g, ' username '],
  [/\bend of (the )?day\b/g, ' midnight '],
  [/\bat the top\b/g, ' leaderboard '],
  [/\bself[- ]host(ed|ing)?\b|\bown (instance|server)\b/g, ' operator instance '],
];

/** Short forms as typed on a phone, without apostrophes. */
export const SHORT_FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    pts: 'points',
    pt: 'point',
    lvl: 'level',
    acc: 'account',
    acct: 'account',
    pic: 'picture',
    pics: 'pictures',
    msg: 'message',
    msgs: 'messages',
    notif: 'notification',
    notifs: 'notifications',
    tz: 'timezone',
    pw: 'password',
    mins: 'minutes',
    whats: "what's",
    wheres: "where's",
    cant: "can't",
    dont: "don't",
    doesnt: "doesn't",
    didnt: "didn't",
    isnt: "isn't",
    arent: "aren't",
    wont: "won't",
    couldnt: "couldn't",
    hasnt: "hasn't",
    havent: "haven't",
    wasnt: "wasn't",
  }),
);

/**
 * Words that reverse a question or set its time: a passage without them answers another question. Some consist of
 * several words, see `PHRASES`.
 */
export const OPPOSED: readonly string[] =
  `turnoff turnon negated leave unlink uninstall signin signout hide tomorrow yesterday week month year night`.split(
    ' ',
  );

/** Words without meaning for a search. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after all also am an and any are as at be because been before being but by can could did do does doing done
  for from get gets getting go goes going got had has have having he her here him his how i if in into is it its just let
  like make me mine more much my myself no not now of off ok on once one only or other our out over own please she should
  so some something than that the their them then there these they thing things this those through to too up us very want
  was way we were what when where which while who whom whose why will with would you your yours tell explain mean means
  work works happen happens happened really actually ever anything everything anyone anybody someone somebody people person persons shall stop disable deactivate enable activate turn turned turning say says said
  use used using know see look ask asked many m s t re ve ll d don doesn isn aren wasn won didn couldn shouldn cannot`
    .split(/\s+/)
    .filter(Boolean),
);
