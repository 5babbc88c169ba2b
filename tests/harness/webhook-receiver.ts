/** A local receiver of webhooks that verifies every request by the library of Standard Webhooks, as a receiver would. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { SentEvent } from '#shared/webhook-events.ts';

/** The body of a request. */
export interface ReceivedEvent {
  id: string;
  type: SentEvent;
  occurredAt: string;
  // events have every shape, and tests compare them as a whole
  // oxlint-disable-next-line typescript/no-explicit-any -- a test names what it expects
  data: any;
}

export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  text: string;
  event: ReceivedEvent;
  /** the answer that it got; null for none */
  status: number | null;
}

/**
 * The reaction to a request: a status, after a while or with a Retry-After, a redirect, a cut connection, no answer, or one
 * that never ends.
 */
export type Reaction =
  | number
  | { status: number; retryAfter: string }
  | { status: number; afterMs: number }
  | { redirectTo: string }
  | { endlessly: number }
  | 'cut'
  | 'hang';

export interface WebhookReceiver {
  url: string;
  /** requests with a valid signature, in the order of their arrival */
  requests: ReceivedRequest[];
  /** why requests were refused as forged */
  forged: string[];
  /** the events of requests that were answered with 2xx, each once, in the order of their first arrival */
  taken: () => ReceivedEvent[];
  /** the most requests that were open at the same time */
  openMax: () => number;
  /** secrets that the receiver knows */
  secrets: string[];
  /** reactions to the next requests, in order; the last one repeats */
  react: (...reactions: Reaction[]) => void;
  /** a reaction for each request instead */
  reactTo: (choose: (event: ReceivedEvent) => Reaction) => void;
  /** Stop listening, and cut what is open. */
  goDown: () => Promise<void>;
  /** Listen again, on the same port. */
  comeUp: () => Promise<void>;
  stop: () => Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const requests: ReceivedRequest[] = [];
  const forged: string[] = [];
  const secrets: string[] = [];
  let reactions: Reaction[] = [204];
  let choose: ((event: ReceivedEvent) => Reaction) | null = null;
  let [open, openMax] = [0, 0];

  /** Verifies by any known secret, as a receiver does during a rotation. @throws when none fits */
  const verify = (text: string, headers: IncomingHttpHeaders): ReceivedEvent => {
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const errors = secrets.map((secret) => {
      try {
        new Webhook(secret).verify(text, given);
        return null;
      } catch (error) {
        return String(error);
      }
    });
    if (!errors.includes(null)) throw new Error(errors.join('; ') || 'no secret is known');
    return JSON.parse(text) as ReceivedEvent;
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    open += 1;
    openMax = Math.max(openMax, open);
    response.on('close', () => {
      open -= 1;
    });
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      let event: ReceivedEvent;
      try {
        event = verify(text, request.headers);
      } catch (error) {
        forged.push(String(error));
        response.writeHead(401).end();
        return;
      }
      const reaction = choose?.(event) ?? (reactions.length > 1 ? reactions.shift() : reactions[0]) ?? 204;
      const received: ReceivedRequest = { headers: request.headers, text, event, status: null };
      requests.push(received);
      const answer = (status: number, headers: Record<string, string> = {}) => {
        received.status = status;
        response.writeHead(status, headers);
      };
      if (reaction === 'cut') request.socket.destroy();
      else if (typeof reaction === 'number') {
        answer(reaction);
        response.end();
      } else if (typeof reaction === 'object' && 'afterMs' in reaction) {
        setTimeout(() => {
          answer(reaction.status);
          response.end();
        }, reaction.afterMs);
      } else if (typeof reaction === 'object' && 'retryAfter' in reaction) {
        answer(reaction.status, { 'retry-after': reaction.retryAfter });
        response.end();
      } else if (typeof reaction === 'object' && 'redirectTo' in reaction) {
        answer(307, { location: reaction.redirectTo });
        response.end();
      } else if (typeof reaction === 'object') {
        answer(reaction.endlessly);
        const flood = (): void => {
          while (!response.destroyed && response.write('x'.repeat(1_024)));
          if (!response.destroyed) response.once('drain', flood);
        };
        flood();
      }
    });
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
  const goDown = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/marshal`,
    requests,
    forged,
    secrets,
    openMax: () => openMax,
    taken: () => {
      const taken = requests.filter(({ status }) => status !== null && status >= 200 && status < 300);
      return [...new Map(taken.map(({ event }) => [event.id, event])).values()];
    },
    react: (...next) => {
      choose = null;
      reactions = next;
    },
    reactTo: (next) => {
      choose = next;
    },
    goDown,
    comeUp: () => listen(port),
    stop: goDown,
  };
}
