/** A local SMTP server (smtp-server) that keeps what it takes, read by an independent parser (mailparser). */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface TakenMail {
  to: string;
  parsed: ParsedMail;
  raw: string;
  /** the connection was encrypted */
  isSecure: boolean;
  /** the user that signed in; null for nobody */
  user: string | null;
}

/**
 * The reaction to a message: it is taken, refused at its recipient or after its text with a code, its connection is cut once
 * the text has arrived, or it is taken and never answered.
 */
export type MailReaction = 'take' | { atRecipient: number } | { atEnd: number } | 'cut' | 'hang';

export interface MailServer {
  url: string;
  /** messages that were taken, in the order of their arrival, with those whose answer was lost */
  taken: TakenMail[];
  /** reactions to the next messages, in order; the last one repeats */
  react: (...reactions: MailReaction[]) => void;
  /** a reaction for each recipient instead */
  reactTo: (choose: (to: string) => MailReaction) => void;
  to: (address: string) => TakenMail[];
  goDown: () => Promise<void>;
  comeUp: () => Promise<void>;
  stop: () => Promise<void>;
}

const USER = 'marshal';
const PASS = 'p@ss: word/7';

const refusal = (code: number) =>
  Object.assign(new Error(code < 500 ? 'try again later' : 'no such mailbox'), { responseCode: code });

/** @param options of smtp-server; by default it takes mail without a password and without TLS */
export async function startMailServer({
  withPassword = false,
  ...options
}: SMTPServerOptions & { withPassword?: boolean } = {}): Promise<MailServer> {
  const taken: TakenMail[] = [];
  let reactions: MailReaction[] = ['take'];
  let choose: ((to: string) => MailReaction) | null = null;
  const decided = new Map<string, MailReaction>();
  const decide = (to: string): MailReaction =>
    choose?.(to) ?? (reactions.length > 1 ? reactions.shift() : reactions[0]) ?? 'take';
  const create = () => {
    const server = new SMTPServer({
      authOptional: !withPassword,
      disabledCommands: withPassword ? ['STARTTLS'] : ['AUTH', 'STARTTLS'],
      allowInsecureAuth: true,
      logger: false,
      onAuth({ username, password }, _session, callback) {
        if (username === USER && password === PASS) callback(null, { user: username });
        else callback(Object.assign(new Error('wrong user or password'), { responseCode: 535 }));
      },
      onRcptTo({ address }, session, callback) {
        const reaction = decide(address);
        decided.set(session.id, reaction);
        callback(typeof reaction === 'object' && 'atRecipient' in reaction ? refusal(reaction.atRecipient) : null);
      },
      onData(stream, session, callback) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        const read = async (): Promise<Error | null | 'no answer'> => {
          await once(stream, 'end');
          const reaction = decided.get(session.id) ?? 'take';
          if (typeof reaction === 'object' && 'atEnd' in reaction) return refusal(reaction.atEnd);
          const raw = Buffer.concat(chunks).toString('utf8');
          const to = session.envelope.rcptTo[0]?.address ?? '';
          taken.push({
            to,
            raw,
            parsed: await simpleParser(raw),
            isSecure: session.secure,
            user: session.user === undefined ? null : String(session.user),
          });
          if (reaction === 'cut') for (const one of server.connections) one.close();
          return reaction === 'cut' || reaction === 'hang' ? 'no answer' : null;
        };
        const answer = async (): Promise<void> => {
          // the sender may be killed in the middle of its text
          const result = await read().catch(() => 'no answer' as const);
          if (result !== 'no answer') callback(result);
        };
        void answer();
      },
      ...options,
    });
    // connections that a test cuts
    server.on('error', () => undefined);
    return server;
  };
  let server = create();
  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve((server.server.address() as AddressInfo).port));
    });
  const port = await listen(0);
  const stop = () =>
    new Promise<void>((resolve) => {
      for (const one of server.connections) one.close();
      server.close(() => resolve());
    });
  const credentials = withPassword ? `${USER}:${encodeURIComponent(PASS)}@` : '';
  return {
    url: `${options.secure === true ? 'smtps' : 'smtp'}://${credentials}127.0.0.1:${port}`,
    taken,
    react(...next) {
      [reactions, choose] = [next, null];
    },
    reactTo(next) {
      choose = next;
    },
    to: (address) => taken.filter((mail) => mail.to === address),
    goDown: stop,
    async comeUp() {
      server = create();
      await listen(port);
    },
    stop,
  };
}
