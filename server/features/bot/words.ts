/** All texts of the bot. */
export const COMMANDS = [
  { command: 'tasks', description: 'What you can do now' },
  { command: 'checkin', description: 'Check in for today' },
  { command: 'me', description: 'Your points and rank' },
  { command: 'top', description: 'The leaderboard' },
  { command: 'help', description: 'What I can do' },
] as const;

const list = COMMANDS.filter(({ command }) => command !== 'help')
  .map(({ command, description }) => `/${command} - ${description}`)
  .join('\n');

export const words = {
  hello: (product: string) => `Hi! I bring you news from ${product}.\n\n${list}`,
  help: `Here’s what I can do:\n\n${list}\n\nType my name and “top” in any chat to share your community’s leaderboard.`,
  helloCommunity: (name: string) => `You’re talking to me about ${name} now.\n\n${list}`,
  task: (title: string, community: string) => `${title}\nA task in ${community}.`,
  taskGone: 'This task isn’t here any more. Send /tasks to see what you can do.',
  invite: 'You’re invited to a community. Open the invite to see it and join.',
  wizard: 'Start your own community: the setup takes a few minutes.',
  signIn: 'I don’t know you yet. Sign in with Telegram first, then ask me again.',
  noCommunity: 'You aren’t in a community yet. Pick one, then ask me again.',
  noChat: 'This group isn’t connected to a community yet.',
  notMember: (name: string) => `You aren’t a member of ${name} yet. Join first, then ask me again.`,
  open: 'Open',
  join: 'Join',
  openTask: 'Open task',
  openInvite: 'Open invite',
  openWizard: 'Start setup',
  openBoard: 'Open leaderboard',
  openTasks: 'Open tasks',
  signInButton: 'Sign in',
  me: (name: string, at: { points: number; rank: number | null; pending: number }) =>
    [
      `You in ${name}`,
      `${points(at.points)}${at.rank === null ? '' : `, rank ${at.rank} this week`}`,
      ...(at.pending > 0 ? [`${points(at.pending)} waiting for review`] : []),
    ].join('\n'),
  leads: (name: string) => `You lead ${name}, so you aren’t ranked there.`,
  tasks: (name: string, tasks: readonly string[], more: number) =>
    [`Open for you in ${name}:`, ...tasks, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
  noTasks: (name: string) => `Nothing is open for you in ${name} right now.`,
  taskLine: (title: string, worth: number) => `• ${title} (${points(worth)})`,
  top: (name: string, rows: readonly string[]) => [`${name}: this week`, ...rows].join('\n'),
  topLine: (rank: number, name: string, worth: number) => `${rank}. ${name}: ${points(worth)}`,
  noTop: (name: string) => `No one has points in ${name} this week yet.`,
  hiddenTop: (name: string) => `The leaderboard of ${name} is hidden right now.`,
  whichCheckIn: (name: string) => `Which check-in in ${name}?`,
  checkInKey: (title: string, worth: number) => `${title} (+${points(worth)})`,
  chooseInApp: (name: string) => `There’s more than one way to check in to ${name}. Pick yours in the app.`,
  checkingIn: (title: string, worth: number) =>
    `Checking you in: ${title} (+${points(worth)}). You can undo this for a few seconds.`,
  undo: 'Undo',
  undone: (title: string) => `Undone: ${title}. Nothing was sent.`,
  undoLate: 'It’s too late to undo this.',
  onItsWay: (title: string) => `${title}: you’re being checked in already.`,
  notNow: (title: string) => `${title}: not open right now.`,
  pressGone: 'This button doesn’t work any more.',
  checkedIn: (title: string, worth: number) => `Checked in: ${title} (+${points(worth)})`,
  checkInWaits: (title: string) => `Checked in: ${title}. It’s waiting for a review.`,
  alreadyIn: (title: string) => `${title}: already done for now.`,
  checkInShut: (title: string, why: string) => `${title}: ${why}`,
  noCheckIn: (name: string) => `There’s no check-in in ${name} right now.`,
  share: (name: string) => `Share the leaderboard of ${name}`,
  shareHint: 'This week’s top five',
};

function points(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'point' : 'points'}`;
}
