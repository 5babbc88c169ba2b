/** The sandbox's page: files, one call that reads, a few that act. For this machine's browser only. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import type { Emulator, InteractionOutcome } from '#tests/discord/emulator/types.ts';
import { createCommandReader } from './commands.ts';
import { readState, type Switches } from './state.ts';
import type { World } from './world.ts';

const PAGE_DIR = join(import.meta.dirname, 'page');
const FILES: Record<string, readonly [file: string, type: string]> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/sandbox.css': ['sandbox.css', 'text/css; charset=utf-8'],
  ...Object.fromEntries(
    ['app', 'command-box', 'dom', 'markdown', 'messages', 'panels'].map((name) => [
      `/${name}.js`,
      [`${name}.js`, 'text/javascript; charset=utf-8'],
    ]),
  ),
};
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const MAX_BODY_BYTES = 64 * 1024;

const as = z.string().regex(/^\d{5,20}$/);
const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const guildId = as.nullable();

export interface SandboxPage {
  /** origin without a trailing slash */
  url: string;
  stop: () => Promise<void>;
}

export interface SandboxOptions {
  emulator: Emulator;
  world: World;
  /** where Marshal is served */
  siteUrl: string;
  /** 0 if not said: any */
  port?: number;
}

/** Serve the page on loopback. */
export async function startSandboxPage({ emulator, world, siteUrl, port = 0 }: SandboxOptions): Promise<SandboxPage> {
  const switches: Switches = { closedDms: new Set(), isIntentRefused: false };
  const actions = makeActions(emulator, world, switches);
  const readCommands = createCommandReader(emulator);
  let origins: readonly string[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origins[0]);
    // other sites' pages must not read or press anything here, under any host name
    if (!origins.includes(`http://${request.headers.host}`)) return end(response, 403, 'This page has another name.');
    if (request.method === 'GET' && url.pathname === '/state') {
      const state = readState(
        { emulator, world, switches, siteUrl },
        await readCommands(),
        url.searchParams.get('as') ?? '',
        url.searchParams.get('at') ?? '',
      );
      return sendJson(request, response, state);
    }
    const file = FILES[url.pathname];
    if (request.method === 'GET' && file) return sendFile(response, ...file);
    const act = actions[url.pathname];
    if (request.method !== 'POST' || !act) return end(response, 404, 'There is nothing here.');
    if (!origins.includes(request.headers.origin ?? '')) return end(response, 403, 'Only its own page may act here.');
    return sendJson(request, response, (await act(await readJson(request))) ?? {});
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const isInput = error instanceof z.ZodError || error instanceof SyntaxError;
      const message = isInput ? 'This is not understood.' : error instanceof Error ? error.message : String(error);
      end(response, isInput ? 400 : 500, message);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  origins = [`http://localhost:${bound}`, `http://127.0.0.1:${bound}`];
  return {
    url: `http://localhost:${bound}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Action = (body: unknown) => Promise<unknown> | undefined;

function makeActions(emulator: Emulator, world: World, switches: Switches): Record<string, Action> {
  const outcome = async (result: Promise<InteractionOutcome>) => {
    const { answeredWith, choices, reply } = await result;
    return { answeredWith, choices, replyChannelId: reply?.channelId ?? null };
  };
  const guildOf = (id: string) => {
    const found = world.guilds.find((guild) => guild.id === id);
    if (!found) throw new Error('There is no such server.');
    return found;
  };
  return {
    '/press': (body) => {
      const input = z.object({ as, messageId: as, button: z.string() }).parse(body);
      return outcome(emulator.press(input.as, input.messageId, input.button));
    },
    '/choose': (body) => {
      const input = z.object({ as, messageId: as, option: z.string() }).parse(body);
      return outcome(emulator.choose(input.as, input.messageId, new RegExp(`^${RegExp.escape(input.option)}$`)));
    },
    '/command': (body) => {
      const input = z.object({ as, guildId, path: z.string(), values }).parse(body);
      return outcome(emulator.command(input.as, input.guildId, input.path, input.values));
    },
    '/autocomplete': (body) => {
      const input = z.object({ as, guildId, path: z.string(), focused: z.string(), text: z.string() }).parse(body);
      return outcome(emulator.autocomplete(input.as, input.guildId, input.path, input.focused, input.text));
    },
    '/switch/outage': (body) => {
      const { id, isOn } = z.object({ id: as, isOn: z.boolean() }).parse(body);
      const guild = guildOf(id);
      emulator.setOutage(id, isOn);
      guild.isOut = isOn;
      return undefined;
    },
    '/switch/installed': (body) => {
      const { id, isOn } = z.object({ id: as, isOn: z.boolean() }).parse(body);
      const guild = guildOf(id);
      if (isOn) emulator.installBot(id);
      else emulator.kickBot(id);
      guild.isInstalled = isOn;
      return undefined;
    },
    '/switch/closed-dms': (body) => {
      const { id, isOn } = z.object({ id: as, isOn: z.boolean() }).parse(body);
      emulator.setClosedDms(id, isOn);
      if (isOn) switches.closedDms.add(id);
      else switches.closedDms.delete(id);
      return undefined;
    },
    '/switch/intent-refused': (body) => {
      const { isOn } = z.object({ isOn: z.boolean() }).parse(body);
      emulator.refuseMembersIntent(isOn);
      switches.isIntentRefused = isOn;
      // a resumed session keeps its intents; only a new one requests them again
      emulator.invalidateSession(false);
      return undefined;
    },
    '/fault': (body) => {
      const { kind } = z.object({ kind: z.enum(['drop gateway', 'next post 500', 'next post dropped']) }).parse(body);
      const post = { method: 'POST', path: /^\/channels\/\d+\/messages$/ };
      if (kind === 'drop gateway') emulator.closeGateway(4000);
      else if (kind === 'next post 500') emulator.fail({ ...post, kind: 'status', status: 500, when: 'before' });
      else emulator.fail({ ...post, kind: 'drop', when: 'after' });
      return undefined;
    },
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new SyntaxError('too long');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

async function sendFile(response: ServerResponse, file: string, type: string): Promise<void> {
  const content = await readFile(join(PAGE_DIR, file));
  response.writeHead(200, {
    'content-type': type,
    'content-security-policy': CSP,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  });
  response.end(content);
}

/** Leaves out parts that the page already has. */
function sendJson(request: IncomingMessage, response: ServerResponse, value: unknown): void {
  const text = JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  const isKnown = request.headers['if-none-match'] === etag;
  response.writeHead(isKnown ? 304 : 200, {
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
    etag,
  });
  response.end(isKnown ? undefined : text);
}

function end(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ message }));
}
