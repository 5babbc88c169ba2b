import { guildCopy } from './guild-text.ts';

const number = new Intl.NumberFormat('en-US');

/** `1,204`; `Unknown` before Discord has told. */
export function MemberCount({ count }: { count: number | null }) {
  return count === null ? guildCopy.unknownMembers : number.format(count);
}
