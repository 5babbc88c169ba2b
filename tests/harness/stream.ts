/** Live updates as a page receives them: one open response, read event by event. */
import { LIVE_PATH, readLiveEvent, type LiveEvent, type LiveTopic } from '#shared/live.ts';
import type { Service } from './service.ts';

const PATIENCE_MS = 10_000;

export interface Stream {
  status: number;
  headers: Headers;
  /** events received so far, `all` included */
  events: LiveEvent[];
  /** everything that was sent, as text */
  text: () => string;
  /** Wait for the next event of a topic that no earlier call returned. */
  next: (topic: LiveTopic) => Promise<LiveEvent>;
  /** Waits for an event of this version. @returns the events before it, since the last call */
  before: (version: number) => Promise<LiveEvent[]>;
  /** resolves when the server ends the stream */
  ended: Promise<void>;
  close: () => void;
}

/** @param caller the Cookie header of a browser ('' for a visitor), or the access token of a script */
export async function openStream(service: Pick<Service, 'url'>, caller: string | { token: string }): Promise<Stream> {
  const abort = new AbortController();
  const headers: Record<string, string> =
    typeof caller === 'string' ? { cookie: caller } : { authorization: `Bearer ${caller.token}` };
  const response = await fetch(`${service.url}${LIVE_PATH}`, { headers, signal: abort.signal });
  const events: LiveEvent[] = [];
  const taken = new Set<LiveEvent>();
  let text = '';
  let told = 0;
  let wake = (): void => undefined;

  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.body ?? []) {
      const piece = decoder.decode(chunk, { stream: true });
      text += piece;
      const frames = (rest + piece).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const event = frame.startsWith('data: ') ? readLiveEvent(frame.slice('data: '.length)) : null;
        if (event) events.push(event);
      }
      wake();
    }
  }
  async function waitFor(matches: (event: LiveEvent) => boolean, what: string): Promise<LiveEvent> {
    const giveUpAt = Date.now() + PATIENCE_MS;
    for (;;) {
      const event = events.find(matches);
      if (event) return event;
      const left = giveUpAt - Date.now();
      if (left <= 0) throw new Error(`no ${what} within ${PATIENCE_MS} ms; heard: ${JSON.stringify(events)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  const ended = read().catch((error: unknown) => {
    // a dropped stream counts as ended
    if (!abort.signal.aborted && !(error instanceof TypeError)) throw error;
  });

  return {
    status: response.status,
    headers: response.headers,
    events,
    ended,
    text: () => text,
    close: () => abort.abort(),
    async next(topic) {
      const event = await waitFor((one) => one.topic === topic && !taken.has(one), topic);
      taken.add(event);
      return event;
    },
    async before(version) {
      const last = await waitFor((one) => one.version === version, `version ${version}`);
      taken.add(last);
      const since = told;
      told = events.indexOf(last) + 1;
      return events.slice(since, told - 1);
    },
  };
}
