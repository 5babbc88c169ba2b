/** A local server of calendars, as Google, Outlook and others have it: with ETags or without, slow, broken or hostile. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CalendarServer {
  /** Address of a calendar by its name. */
  url: (name: string) => string;
  /** the requests for each calendar, in order */
  requests: { name: string; headers: IncomingHttpHeaders; status: number }[];
  /** Serve this text from now on, with an ETag unless it is left out. */
  serve: (name: string, text: string, more?: { etag?: string | null }) => void;
  /** Answer in another way. */
  react: (name: string, answer: RequestListener) => void;
  stop: () => Promise<void>;
}

export async function startCalendarServer(): Promise<CalendarServer> {
  const answers = new Map<string, RequestListener>();
  const requests: CalendarServer['requests'] = [];
  const server = createServer((request, response) => {
    const name = request.url?.split('/').at(-1) ?? '';
    const noted = { name, headers: request.headers, status: 0 };
    requests.push(noted);
    response.on('close', () => (noted.status = response.statusCode));
    const answer = answers.get(name);
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: (name) => `${origin}/private-0123456789abcdef/${name}`,
    requests,
    serve(name, text, { etag = `"${text.length}-${text.replace(/\D/g, '').slice(-12)}"` } = {}) {
      answers.set(name, (request, response) => {
        if (etag !== null && request.headers['if-none-match'] === etag) response.writeHead(304).end();
        else response.writeHead(200, { 'content-type': 'text/calendar', ...(etag !== null && { etag }) }).end(text);
      });
    },
    react: (name, answer) => void answers.set(name, answer),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** iCalendar's form of an instant. */
const stampOf = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');

/** A calendar with events at these times. @param lines further lines of each event */
export const calendarOf = (times: readonly { startMs: number; endMs: number }[], ...lines: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Marshal//tests//EN',
    ...times.flatMap(({ startMs, endMs }, index) => [
      'BEGIN:VEVENT',
      `UID:${index}@tests`,
      `DTSTART:${stampOf(startMs)}`,
      `DTEND:${stampOf(endMs)}`,
      'SUMMARY:A title that nobody may see',
      ...lines,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
