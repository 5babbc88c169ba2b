/** Invite links: the code of an invite follows from its id and a key, so that the link can be shown again and no secret is stored. */
import { createHmac } from 'node:crypto';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';

export interface InviteLinks {
  /** @param id of an invite @returns the address to give to people */
  urlOf: (id: string) => string;
  /** @returns the id of the invite; '' for a code that this installation did not make */
  find: (em: Em, token: string) => Promise<string>;
}

/** Crockford's base 32: no letter that looks like a digit, since people read these codes aloud. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 60 bits: with 100 open invites, a thousand guesses a second need some hundred thousand years to find one. */
const CODE_LENGTH = 12;

/** The code that was meant, in upper or lower case, with letters for the digits that look like them. */
const codeIn = (token: string): string =>
  token.toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1').replaceAll('-', '');

/** @param key the same on every replica */
export function createInviteLinks(key: string, publicUrl: string): InviteLinks {
  const codeOf = (id: string): string => {
    const bytes = createHmac('sha256', key).update(`invite-code:${id}`).digest().subarray(0, CODE_LENGTH);
    return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  };
  return {
    urlOf: (id) => `${publicUrl}/join/${codeOf(id)}`,
    async find(em, token) {
      const code = codeIn(token);
      if (code.length !== CODE_LENGTH) return '';
      const invites = await db(em).selectFrom('invite').select('id').execute();
      return invites.find(({ id }) => codeOf(id) === code)?.id ?? '';
    },
  };
}
