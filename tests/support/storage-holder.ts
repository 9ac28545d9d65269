/** A process that opens storage as the app does, says so, and holds it until it is told to stop. */
import { readConfig } from '../../server/config.ts';
import { stopSignal } from '../../server/stop-signal.ts';
import { StorageError } from '../../server/storage/error.ts';
import { openStorage } from '../../server/storage/open.ts';

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const stop = stopSignal();
try {
  const config = readConfig(process.env);
  const storage = await openStorage(config, {
    info: (data) => say({ info: data }),
    warn: (data) => say({ warn: data }),
  });
  const [row] = await storage.sql`select current_setting('data_directory') as data, version() as version`;
  say({ ready: true, home: config.home, ...row });
  await stop.wait;
  await storage.close();
  say({ closed: true });
  process.exit(0);
} catch (error) {
  say({ error: error instanceof StorageError ? error.code : 'unknown', message: String(error) });
  process.exit(1);
}
