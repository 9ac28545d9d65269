import { type Config, readConfig } from '../config.ts';
import { type Warning, warningsOf } from '../config-warnings.ts';
import { CommandError, readArgs, usageError } from './command-error.ts';
import { type Trial, tryConfig } from './config-online.ts';

export const CONFIG_USAGE = `  config check                   read the configuration, list every problem, and what is most probably not meant
    --strict                     fail (1) also where something is only doubtful; problems fail with 78 in any case
    --online                     try what is configured: database, disk, Telegram, X, the own address, clock, push, backups.
                                 Nothing is changed anywhere
`;

/** `config check`: fails with all it found, or says what is configured. */
export async function checkConfig(args: readonly string[]): Promise<string> {
  const options = { strict: { type: 'boolean' }, online: { type: 'boolean' } } as const;
  const { positionals, values } = readArgs({ args: [...args], options, allowPositionals: true }, CONFIG_USAGE);
  if (positionals.join(' ') !== 'check') throw usageError(CONFIG_USAGE);
  const config = readConfig(process.env);
  const warnings = warningsOf(config, process.env);
  const trials = values.online ? await tryConfig(config) : [];
  const failed = trials.filter(({ state }) => state === 'failed').length;
  const doubts = warnings.length + trials.filter(({ state }) => state === 'doubtful').length;
  const report = [
    verdict(failed, doubts),
    ...facts(config),
    ...warnings.map(({ name, problem }: Warning) => `  WARNING  ${name} ${problem}`),
    ...trials.map(shown),
  ].join('\n');
  if (failed > 0 || (values.strict && doubts > 0)) throw new CommandError(report);
  return report;
}

function verdict(failed: number, doubts: number): string {
  if (failed > 0) return `The configuration can be read, and ${failed} of what was tried failed.`;
  return doubts === 0
    ? 'The configuration is fine.'
    : `The configuration can be read, with ${doubts} ${doubts === 1 ? 'doubt' : 'doubts'}.`;
}

const MARKS = { fine: 'ok', doubtful: 'WARNING', failed: 'FAILED', left: '–' } as const;

const shown = ({ what, state, found, wayOut }: Trial): string =>
  `  ${MARKS[state].padEnd(7)}  ${what}: ${found}${wayOut && (state === 'failed' || state === 'doubtful') ? `\n             ${wayOut}` : ''}`;

function facts(config: Config): string[] {
  const rows: [string, string][] = [
    ['Origin', config.publicOrigin],
    ['Listens on', `${config.host}:${config.port}`],
    ['Database', config.databaseUrl === null ? `built in, under ${config.home}` : 'DATABASE_URL'],
    ['Telegram sign-in', config.telegram.clientId === null ? 'not configured' : config.telegram.oidcIssuer],
    ['Telegram bot', config.telegram.botToken === null ? 'not configured' : config.telegram.apiRoot],
    ['Required channel', config.telegram.requiredChannel ?? 'none'],
    ['Push', ['known services', ...config.push.hosts].join(', ')],
    ['X', config.x.clientId === null ? 'not configured' : config.x.apiRoot],
  ];
  return rows.map(([name, value]) => `  ${name.padEnd(17)} ${value}`);
}
