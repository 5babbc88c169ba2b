/** Random tokens for cookies, links and scripts. Only their hashes are stored. */
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const TOKEN_BYTES = 32;
/** A prefix by which secret scanners find leaked tokens, the secret, and a checksum, so that they find nothing else. */
const ACCESS_TOKEN = /^mrsh_([\w-]{43})([0-9a-f]{8})$/;

/** A new secret: 43 characters of base64url. */
export function randomToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** SHA-256, hex: stored instead of the token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const checksumOf = (secret: string): string => crc32(secret).toString(16).padStart(8, '0');

/** A new personal access token: `mrsh_`, a secret, and its CRC-32 in hex. */
export function randomAccessToken(): string {
  const secret = randomToken();
  return `mrsh_${secret}${checksumOf(secret)}`;
}

/** False for anything that cannot be a personal access token, which is then refused without a query. */
export function isAccessToken(text: string): boolean {
  const [, secret = '', checksum] = ACCESS_TOKEN.exec(text) ?? [];
  return checksum === checksumOf(secret);
}
