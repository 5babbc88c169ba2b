/** One operation with one input on each surface, over connections that stay open. */
import { Agent, request } from 'node:http';
import type { Service } from '#tests/harness/service.ts';
import { isRecord, restRequest, toJson, encode } from '#tests/harness/transports.ts';

export interface SurfaceAnswer {
  status: number;
  /** the text of the answer without tRPC's envelope: what REST answers byte for byte */
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

function send(
  url: string,
  method: string,
  cookie: string,
  origin: string,
  body: string | undefined,
): Promise<{ status: number; text: string }> {
  const content =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const call = request(url, { method, agent, headers: { origin, cookie, ...content } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    call.on('error', (error) => {
      // the server has just closed the idle connection, and has not read the request
      if (call.reusedSocket && Reflect.get(error, 'code') === 'ECONNRESET') {
        resolve(send(url, method, cookie, origin, body));
      } else reject(error);
    });
    call.end(body);
  });
}

export async function askRest(
  { url }: Pick<Service, 'url'>,
  procedure: string,
  input: unknown,
  cookie: string,
): Promise<SurfaceAnswer> {
  const { method, path, body } = restRequest(procedure, input);
  return send(`${url}/api/v1${path}`, method.toUpperCase(), cookie, url, body);
}

const [OPENING, CLOSING] = ['{"result":{"data":', '}}'];

export async function askTrpc(
  { url }: Pick<Service, 'url'>,
  { procedure, isQuery }: { procedure: string; isQuery: boolean },
  input: unknown,
  cookie: string,
): Promise<SurfaceAnswer> {
  const query = isQuery && input !== undefined ? `?input=${encode(toJson(input))}` : '';
  const body = isQuery || input === undefined ? undefined : toJson(input);
  const method = isQuery ? 'GET' : 'POST';
  const { status, text } = await send(`${url}/trpc/${procedure}${query}`, method, cookie, url, body);
  if (text.startsWith(OPENING)) return { status, text: text.slice(OPENING.length, -CLOSING.length) };
  const answer: unknown = JSON.parse(text);
  const error = isRecord(answer) && isRecord(answer.error) ? answer.error : {};
  const data = isRecord(error.data) ? error.data : {};
  const { refusal: code, issues, states } = data;
  const details = { ...(issues ? { issues } : {}), ...(states ? { states } : {}) };
  return { status, text: JSON.stringify({ code, message: error.message, ...details }) };
}
