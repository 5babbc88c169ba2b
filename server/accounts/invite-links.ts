/** Invite links: the signed token of an invite, so that the link can be shown again and nothing secret is stored. */
import { createSigner } from '#server/platform/signed.ts';

export interface InviteLinks {
  /** @param id of an invite @returns the address to give to people */
  urlOf: (id: string) => string;
  /** @returns the id of the invite; '' for a token that this installation did not make */
  open: (token: string) => string;
}

/** @param key the same on every replica */
export function createInviteLinks(key: string, publicUrl: string): InviteLinks {
  const signer = createSigner(key, 'invite');
  return {
    urlOf(id) {
      // 22 characters instead of 36, because people paste these links
      const short = Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
      return `${publicUrl}/join/${signer.seal(short)}`;
    },
    open(token) {
      const short = signer.open(token);
      if (short === null) return '';
      const hex = Buffer.from(short, 'base64url').toString('hex');
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}
