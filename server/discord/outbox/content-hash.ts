/** What stands in Discord, short enough to keep: an equal one need not be sent again. */
import { createHash } from 'node:crypto';

/** @param content a message or an event, its properties always in the same order */
export function hashShown(content: object): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
