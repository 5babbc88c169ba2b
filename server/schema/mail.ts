/** The addresses that want no invites. */
import { defineEntity } from '@mikro-orm/core';
import { createdAt } from './base.ts';
import { text } from './columns.ts';
import { none } from './personal.ts';

/** An address without an account whose owner wants no more invites. */
export const MailOptOutSchema = defineEntity({
  name: 'MailOptOut',
  properties: {
    /** SHA-256 of the address's key, hex: the list names nobody */
    addressHash: text(none).primary(),
    createdAt: createdAt(),
  },
});
export class MailOptOut extends MailOptOutSchema.class {}
MailOptOutSchema.setClass(MailOptOut);
