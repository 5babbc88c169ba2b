/** Sign-in with Discord: consent, code, token. Only the scope `identify` exists. */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Answer } from './routes/route.ts';
import type { Person, World } from './state.ts';
import type { Snowflake } from './types.ts';

const CODE_LIFE_MS = 60_000;
const TOKEN_LIFE_S = 604_800;

interface Grant {
  person: Person;
  redirectUri: string;
  challenge: string | null;
  endsMs: number;
}

export interface OAuth {
  /** @param path without `/api`. @returns null when it is none of OAuth2's own addresses */
  answer: (request: IncomingMessage, path: string, query: URLSearchParams, text: string) => Answer | null;
  personOfToken: (token: string) => Person | null;
  signInAs: (userId: Snowflake | null) => void;
}

export function createOAuth(world: World): OAuth {
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, Person>();
  let signedIn: Snowflake | null = null;

  function authorize(query: URLSearchParams): Answer {
    const problem = problemOf(query);
    if (problem !== null) {
      return html(400, `<h1>Invalid OAuth2 request</h1><p>${escape(problem)}</p>`);
    }
    const redirect = new URL(query.get('redirect_uri') ?? '');
    const state = query.get('state');
    if (state !== null) redirect.searchParams.set('state', state);
    const chosen = query.get('user') ?? signedIn;
    if (chosen === null) {
      return html(200, consentPage(query));
    }
    const person = world.people.get(chosen);
    if (person === undefined) {
      redirect.searchParams.set('error', 'access_denied');
      redirect.searchParams.set('error_description', 'The resource owner or authorization server denied the request');
    } else {
      const code = randomBytes(15).toString('base64url');
      codes.set(code, {
        person,
        redirectUri: query.get('redirect_uri') ?? '',
        challenge: query.get('code_challenge'),
        endsMs: Date.now() + CODE_LIFE_MS,
      });
      redirect.searchParams.set('code', code);
    }
    return { status: 302, headers: { location: redirect.href } };
  }

  function problemOf(query: URLSearchParams): string | null {
    if (query.get('client_id') !== world.applicationId) return 'client_id: unknown application';
    if (query.get('response_type') !== 'code') return 'response_type: must be code';
    if (!world.redirectUris.includes(query.get('redirect_uri') ?? ''))
      return 'redirect_uri: not one of the application';
    if (query.get('scope') !== 'identify') return 'scope: only identify is known here';
    if (query.has('code_challenge') && query.get('code_challenge_method') !== 'S256')
      return 'code_challenge_method: must be S256';
    return null;
  }

  function consentPage(query: URLSearchParams): string {
    const people = [...world.people.values()].filter((person) => !person.isBot);
    const kept = [...query].map(
      ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
    );
    const buttons = people.map(
      ({ id, username, globalName }) => `<button name="user" value="${id}">${escape(globalName ?? username)}</button>`,
    );
    return `<h1>Marshal wants to know who you are</h1><form method="get">${kept.join('')}<p>Authorise as</p>
      ${buttons.join('\n')}<p><button name="user" value="nobody">Cancel</button></p></form>`;
  }

  function exchange(request: IncomingMessage, text: string): Answer {
    const form = new URLSearchParams(text);
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const [id, secret] =
      basic === undefined
        ? [form.get('client_id'), form.get('client_secret')]
        : Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeURIComponent);
    if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
      world.violate('POST /oauth2/token: the body is not application/x-www-form-urlencoded');
    }
    if (id !== world.applicationId || secret !== world.clientSecret) return json(401, { error: 'invalid_client' });
    if (form.get('grant_type') !== 'authorization_code') return json(400, { error: 'unsupported_grant_type' });
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    const isGood =
      grant !== undefined &&
      grant.endsMs > Date.now() &&
      grant.redirectUri === form.get('redirect_uri') &&
      isProven(grant.challenge, form.get('code_verifier'));
    if (!isGood) {
      return json(400, { error: 'invalid_grant', error_description: 'Invalid "code" in request.' });
    }
    const token = randomBytes(20).toString('base64url');
    tokens.set(token, grant.person);
    return json(200, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: TOKEN_LIFE_S,
      refresh_token: randomBytes(20).toString('base64url'),
      scope: 'identify',
    });
  }

  return {
    answer: (request, path, query, text) => {
      const call = `${request.method} ${path}`;
      if (call === 'GET /oauth2/authorize') return authorize(query);
      if (call === 'POST /oauth2/token') return exchange(request, text);
      // whole browsers ask every site for its icon
      if (call === 'GET /favicon.ico') return { status: 204 };
      if (call !== 'POST /oauth2/token/revoke') return null;
      tokens.delete(new URLSearchParams(text).get('token') ?? '');
      return json(200, {});
    },
    personOfToken: (token) => tokens.get(token) ?? null,
    signInAs: (userId) => {
      signedIn = userId;
    },
  };
}

/** RFC 7636 with S256. */
function isProven(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null) return verifier === null;
  return verifier !== null && createHash('sha256').update(verifier).digest('base64url') === challenge;
}

function json(status: number, body: object): Answer {
  return { status, body, headers: { 'cache-control': 'no-store' } };
}

function html(status: number, body: string): Answer {
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Authorise</title>
<style>body{font:16px/1.5 system-ui;max-width:28rem;margin:3rem auto;padding:0 1rem;background:#313338;color:#f2f3f5}
button{display:block;width:100%;margin:.4rem 0;padding:.6rem;border:0;border-radius:4px;background:#5865f2;color:#fff;font:inherit;cursor:pointer}</style>
</head><body>${body}</body></html>`;
  return { status, page };
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
