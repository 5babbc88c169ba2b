/** Types of an emulated Discord REST route. */
import type { Person, World } from '#tests/discord/emulator/state.ts';

export interface Call {
  params: Record<string, string>;
  query: URLSearchParams;
  /** has passed the contract's checks */
  body: unknown;
  /** the user of the OAuth2 access token; null: the bot itself */
  person: Person | null;
}

/** Without a body: 204. */
export interface Answer {
  status?: number;
  body?: unknown;
  /** HTML, in place of a body */
  page?: string;
  headers?: Record<string, string>;
}

export interface Route {
  method: string;
  /** as in Discord's specification, `/channels/{channel_id}/messages` */
  path: string;
  /** `bot` if not said; `token`: the address holds its own secret; `any`: the bot or a person's access token */
  access?: 'bot' | 'any' | 'token';
  handle: (world: World, call: Call) => Answer;
}
