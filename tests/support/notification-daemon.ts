import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from './chromium.mjs';

/** A notification as the desktop was asked to show it; `actions` by their titles. */
export type Shown = { id: number; summary: string; body: string; actions: Record<string, string> };
export type NotificationDaemon = {
  /** For the environment of a browser. */
  address: string;
  shown: Shown[];
  /** Presses it, or one of its actions by its title. */
  press(one: Shown, action?: string): void;
  dismiss(one: Shown): void;
  close(): Promise<void>;
};

/** Values by D-Bus type, as much of its marshalling as notifications need (little endian). */
class Writer {
  private parts: Buffer[] = [];
  length = 0;
  private push(part: Buffer): this {
    this.parts.push(part);
    this.length += part.length;
    return this;
  }
  align(to: number): this {
    return this.push(Buffer.alloc((to - (this.length % to)) % to));
  }
  byte(value: number): this {
    return this.push(Buffer.of(value));
  }
  u(value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return this.align(4).push(bytes);
  }
  s(value: string): this {
    const text = Buffer.from(`${value}\0`);
    return this.u(text.length - 1).push(text);
  }
  g(value: string): this {
    const text = Buffer.from(`${value}\0`);
    return this.byte(text.length - 1).push(text);
  }
  done(): Buffer {
    return Buffer.concat(this.parts);
  }
}
class Reader {
  private at: number;
  private readonly bytes: Buffer;
  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  align(to: number): void {
    this.at = Math.ceil(this.at / to) * to;
  }
  byte(): number {
    this.at += 1;
    return this.bytes[this.at - 1] ?? 0;
  }
  u(): number {
    this.align(4);
    this.at += 4;
    return this.bytes.readUInt32LE(this.at - 4);
  }
  s(): string {
    const length = this.u();
    this.at += length + 1;
    return this.bytes.toString('utf8', this.at - length - 1, this.at - 1);
  }
  g(): string {
    const length = this.byte();
    this.at += length + 1;
    return this.bytes.toString('latin1', this.at - length - 1, this.at - 1);
  }
  strings(): string[] {
    const size = this.u();
    const end = this.at + size;
    const found: string[] = [];
    while (this.at < end) found.push(this.s());
    return found;
  }
  /** Header fields by code; only strings, signatures and numbers occur. */
  fields(): Map<number, string | number> {
    const size = this.u();
    this.align(8);
    const end = this.at + size;
    const found = new Map<number, string | number>();
    while (this.at < end) {
      this.align(8);
      const code = this.byte();
      const type = this.g();
      found.set(code, type === 'u' ? this.u() : type === 'g' ? this.g() : this.s());
    }
    return found;
  }
}

const [CALL, RETURN, SIGNAL] = [1, 2, 4];
const PATH = '/org/freedesktop/Notifications';
const NAME = 'org.freedesktop.Notifications';
type Field = [code: number, type: 'o' | 's' | 'g' | 'u', value: string | number];

function messageOf(type: number, serial: number, fields: readonly Field[], body: Buffer = Buffer.alloc(0)): Buffer {
  const inner = new Writer();
  // The array of fields begins at byte 16, which is aligned already.
  for (const [code, kind, value] of fields) {
    inner.align(8).byte(code).g(kind);
    if (kind === 'u') inner.u(Number(value));
    else if (kind === 'g') inner.g(String(value));
    else inner.s(String(value));
  }
  const head = new Writer().byte(0x6c).byte(type).byte(0).byte(1).u(body.length).u(serial).u(inner.length).done();
  const whole = Buffer.concat([head, inner.done()]);
  return Buffer.concat([whole, Buffer.alloc((8 - (whole.length % 8)) % 8), body]);
}

/** A session bus of its own with a desktop that shows notifications to tests alone, so that a press is a real one. */
export async function startNotificationDaemon(): Promise<NotificationDaemon> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bus-'));
  const path = join(folder, 'bus');
  const bus: ChildProcess = spawn(
    needs('dbus-daemon'),
    ['--session', '--nofork', `--address=unix:path=${path}`, '--print-address'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  await once(bus.stdout as NodeJS.ReadableStream, 'data');
  const socket: Socket = connect(path);
  await once(socket, 'connect');
  const shown: Shown[] = [];
  let serial = 0;
  const send = (type: number, fields: readonly Field[], body?: Buffer) => {
    serial += 1;
    socket.write(messageOf(type, serial, fields, body));
  };
  const reply = (to: { serial: number; sender: string }, signature: string, body?: Buffer) => {
    const fields: Field[] = [
      [5, 'u', to.serial],
      [6, 's', to.sender],
    ];
    send(RETURN, signature === '' ? fields : [...fields, [8, 'g', signature]], body);
  };
  const signal = (member: string, signature: string, body: Buffer) =>
    send(
      SIGNAL,
      [
        [1, 'o', PATH],
        [2, 's', NAME],
        [3, 's', member],
        [8, 'g', signature],
      ],
      body,
    );
  const strings = (values: readonly string[]) => {
    const inner = new Writer();
    for (const value of values) inner.s(value);
    return Buffer.concat([new Writer().u(inner.length).done(), inner.done()]);
  };

  function onCall(member: string, to: { serial: number; sender: string }, body: Reader): void {
    if (member === 'GetCapabilities') {
      reply(to, 'as', strings(['actions', 'body', 'persistence']));
    } else if (member === 'GetServerInformation') {
      reply(to, 'ssss', new Writer().s('desk').s('tests').s('1').s('1.2').done());
    } else if (member === 'Notify') {
      body.s();
      const replaces = body.u();
      body.s();
      const [summary, text, given] = [body.s(), body.s(), body.strings()];
      const actions: Record<string, string> = {};
      for (let at = 0; at < given.length; at += 2) actions[given[at + 1] ?? ''] = given[at] ?? '';
      const id = replaces || shown.length + 1;
      shown.push({ id, summary, body: text, actions });
      reply(to, 'u', new Writer().u(id).done());
    } else if (member === 'CloseNotification') {
      const id = body.u();
      reply(to, '');
      signal('NotificationClosed', 'uu', new Writer().u(id).u(3).done());
    } else reply(to, '');
  }

  socket.write('\0');
  socket.write(`AUTH EXTERNAL ${Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')}\r\n`);
  await once(socket, 'data');
  socket.write('BEGIN\r\n');
  let buffer: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    while (buffer.length >= 16) {
      const [bodyLength, fieldsLength] = [buffer.readUInt32LE(4), buffer.readUInt32LE(12)];
      const begin = Math.ceil((16 + fieldsLength) / 8) * 8;
      if (buffer.length < begin + bodyLength) return;
      const message = buffer.subarray(0, begin + bodyLength);
      buffer = buffer.subarray(begin + bodyLength);
      const fields = new Reader(message, 12).fields();
      if (message[1] !== CALL) continue;
      const to = { serial: message.readUInt32LE(8), sender: String(fields.get(7) ?? '') };
      onCall(String(fields.get(3)), to, new Reader(message.subarray(begin)));
    }
  });
  const toBus = (member: string, more: readonly Field[] = [], body?: Buffer) =>
    send(
      CALL,
      [
        [1, 'o', '/org/freedesktop/DBus'],
        [2, 's', 'org.freedesktop.DBus'],
        [3, 's', member],
        [6, 's', 'org.freedesktop.DBus'],
        ...more,
      ],
      body,
    );
  toBus('Hello');
  toBus('RequestName', [[8, 'g', 'su']], new Writer().s(NAME).u(0).done());
  return {
    address: `unix:path=${path}`,
    shown,
    press: ({ id, actions }, action) =>
      signal(
        'ActionInvoked',
        'us',
        new Writer()
          .u(id)
          .s(action ? (actions[action] ?? action) : 'default')
          .done(),
      ),
    dismiss: ({ id }) => signal('NotificationClosed', 'uu', new Writer().u(id).u(2).done()),
    async close() {
      socket.destroy();
      bus.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
