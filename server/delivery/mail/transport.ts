/** The SMTP server: sending one message, and whether it can be reached. */
import type { SendResult } from '#server/delivery/sender.ts';
import { addressOf, type Env } from '#server/platform/env.ts';

/** An email as it is handed to the SMTP server. */
export interface OutgoingMail {
  /** `<id@domain>`, the same in every attempt */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** address by which the recipient gets no more of this kind (RFC 8058); none for email about the account itself */
  unsubscribeUrl?: string;
}

export interface Mailer {
  /** the domain of MAIL_FROM, for Message-IDs */
  domain: string;
  /** Send one message. Never rejects: the result says what went wrong. */
  send: (mail: OutgoingMail) => Promise<SendResult>;
  /** Connect and sign in, without sending anything. @returns the problem; null if the server takes mail */
  check: () => Promise<string | null>;
}

const CONNECT_MS = 10_000;
const ANSWER_MS = 20_000;
/** One attempt as a whole; the lease of the outbox is longer. */
const SEND_MS = 40_000;
const ANSWER_LENGTH = 300;
const PERMANENT = 500;

const SENTENCES: Record<string, string> = {
  ECONNECTION: 'The mail server closed the connection.',
  ETIMEDOUT: 'The mail server did not answer in time.',
  ECONNREFUSED: 'The mail server refused the connection.',
  ESOCKET: 'The connection to the mail server failed.',
  EDNS: 'The mail server could not be found.',
  ENOTFOUND: 'The mail server could not be found.',
  ECONNRESET: 'The mail server cut the connection.',
  ETLS: 'No secure connection to the mail server is possible.',
};

/** The words of a server's answer, on one line and not too long. */
const shorten = (answer: string) => answer.replaceAll(/\s+/g, ' ').trim().slice(0, ANSWER_LENGTH);

/**
 * Tell failures apart. A refusal for good (5xx) of the recipient or of the message concerns this email alone. One of the
 * sign-in or of the sender concerns the settings: once an admin has mended them, the email can be sent.
 */
function describe(error: unknown): SendResult {
  const of = (name: string): unknown => (error instanceof Error ? Reflect.get(error, name) : undefined);
  const [code, command, response, responseCode] = [of('code'), of('command'), of('response'), of('responseCode')];
  const status = typeof responseCode === 'number' && responseCode > 0 ? responseCode : null;
  const answer = typeof response === 'string' ? shorten(response) : '';
  if (status !== null && status >= 400) {
    const isOfMessage = command === 'RCPT TO' || command === 'DATA';
    const about = code === 'EAUTH' ? ' to user and password' : command === 'MAIL FROM' ? ' to the sender' : '';
    return {
      outcome: 'failed',
      isPermanent: status >= PERMANENT && isOfMessage,
      status,
      error: `The mail server answered${about}: ${answer}`,
    };
  }
  const message = error instanceof Error ? error.message : '';
  // the library's own codes are broader than the system's, which it leaves in the message
  const [system] = /\bE[A-Z]{4,}\b/.exec(message) ?? [];
  const sentence = /certificate/i.test(message)
    ? "The mail server's certificate is not trusted."
    : [system, code].map((one) => (typeof one === 'string' ? SENTENCES[one] : undefined)).find(Boolean);
  return { outcome: 'failed', isPermanent: false, status: null, error: sentence ?? 'The email could not be sent.' };
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @returns null without SMTP_URL: there is no email then */
export async function createMailer({
  SMTP_URL,
  MAIL_FROM,
}: Pick<Env, 'SMTP_URL' | 'MAIL_FROM'>): Promise<Mailer | null> {
  if (SMTP_URL === undefined || MAIL_FROM === undefined) return null;
  // a start without email need not wait for it
  const { createTransport } = await import('nodemailer');
  const { username, hostname, protocol } = new URL(SMTP_URL);
  const transport = createTransport({
    url: SMTP_URL,
    // a password is never sent in the clear, except to this machine
    requireTLS: protocol === 'smtp:' && username !== '' && !LOOPBACK.test(hostname),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const from = addressOf(MAIL_FROM);
  return {
    domain: from.slice(from.lastIndexOf('@') + 1),
    async send({ messageId, to, subject, text, html, unsubscribeUrl }) {
      const late = Promise.withResolvers<SendResult>();
      const timer = setTimeout(
        () =>
          late.resolve({ outcome: 'failed', isPermanent: false, status: null, error: SENTENCES.ETIMEDOUT as string }),
        SEND_MS,
      );
      const sending = transport
        .sendMail({
          messageId,
          from: MAIL_FROM,
          to: { name: '', address: to },
          subject,
          text,
          html,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl !== undefined && {
              'List-Unsubscribe': `<${unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        })
        .then((): SendResult => ({ outcome: 'sent' }), describe);
      try {
        return await Promise.race([sending, late.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
    async check() {
      try {
        await transport.verify();
        return null;
      } catch (error) {
        const result = describe(error);
        return result.outcome === 'failed' ? result.error : null;
      }
    },
  };
}
