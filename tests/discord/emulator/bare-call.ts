/** Calls of the bot without a library, which would wait for limits and hide headers. */
import type { Emulator } from './types.ts';

interface BareAnswer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test names what it expects
  answer: any;
}

export async function bareCall(
  { apiUrl, token }: Pick<Emulator, 'apiUrl' | 'token'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<BareAnswer> {
  const response = await fetch(`${apiUrl}/v10${path}`, {
    method,
    headers: {
      authorization: `Bot ${token}`,
      'user-agent': 'DiscordBot (https://marshal.example, 1)',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, answer };
}
