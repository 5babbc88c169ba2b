/** Hash of what Discord shows: content with an equal hash need not be sent again. */
import { createHash } from 'node:crypto';

/** @param content a message or an event, with its properties always in the same order */
export function hashShown(content: object): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
