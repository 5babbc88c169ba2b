/** The site that a message leads to: noted with its row, because whoever words it knows no configuration. */
import type { OutboxRow } from './outbox.ts';

export function publicUrlOf({ payload }: Pick<OutboxRow, 'payload'>): string {
  if (typeof payload['publicUrl'] !== 'string') throw new Error('A message does not know its site');
  return payload['publicUrl'];
}
