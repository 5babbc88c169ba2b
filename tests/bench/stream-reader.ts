/**
 * Many event streams in a process of their own, over bare sockets: `live.ts` starts it. Tells the parent when all streams are
 * open, and for each version the time at which its event reached the first and the last of the streams that got it.
 */
import { connect } from 'node:net';
import { LIVE_PATH } from '#shared/live.ts';

/** Streams that are being opened at once. */
const OPENING = 64;

export type ReaderOrder = { port: number; cookies: readonly string[] } | 'report' | 'stop';

/** The streams that an event of this version reached. Times in ms of the machine's monotonic clock. */
export interface Heard {
  topic: string;
  version: number;
  streams: number;
  lastAt: number;
}
export type ReaderReport = { opened: number } | { heard: Heard[]; open: number; beats: number };

/** ms of the clock that all processes of a machine share. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

const heard = new Map<string, Heard>();
let open = 0;
let beats = 0;

const EVENT = /data: \{"topic":"(\w+)","version":(\d+)\}/g;

function take(text: string, onAll: () => void): void {
  if (text.includes(':\n\n')) beats += 1;
  for (const [, topic = '', version = ''] of text.matchAll(EVENT)) {
    if (topic === 'all') {
      onAll();
      continue;
    }
    const key = `${topic} ${version}`;
    const entry = heard.get(key) ?? { topic, version: Number(version), streams: 0, lastAt: 0 };
    entry.streams += 1;
    entry.lastAt = now();
    heard.set(key, entry);
  }
}

/** Resolves with the first event, which says that the server listens for the stream. */
function openStream(port: number, cookie: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setEncoding('latin1');
    socket.write(
      `GET ${LIVE_PATH} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nAccept: text/event-stream\r\n\r\n`,
    );
    let isOpen = false;
    socket.on('data', (text: string) => {
      take(text, () => {
        if (!isOpen) open += 1;
        isOpen = true;
        resolve();
      });
      if (!isOpen && !text.startsWith('HTTP/1.1 200')) reject(new Error(text.slice(0, 200)));
    });
    socket.on('error', reject);
    socket.on('close', () => {
      if (isOpen) open -= 1;
      reject(new Error('the stream ended'));
    });
  });
}

async function openAll(port: number, cookies: readonly string[]): Promise<void> {
  const waiting = [...cookies];
  const openNext = async (): Promise<void> => {
    for (let cookie = waiting.pop(); cookie !== undefined; cookie = waiting.pop()) await openStream(port, cookie);
  };
  await Promise.all(Array.from({ length: OPENING }, openNext));
  process.send?.({ opened: open } satisfies ReaderReport);
}

process.on('message', (order: ReaderOrder) => {
  if (order === 'stop') process.exit(0);
  if (order !== 'report') {
    void openAll(order.port, order.cookies);
    return;
  }
  process.send?.({ heard: [...heard.values()], open, beats } satisfies ReaderReport);
  heard.clear();
});
process.on('disconnect', () => process.exit(0));
