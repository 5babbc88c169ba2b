import { guildCopy } from './guild-text.ts';

const number = new Intl.NumberFormat('en-US');

/** Number of members: `1,204`, or `Unknown`. */
export function MemberCount({ count }: { count: number | null }) {
  return count === null ? guildCopy.unknownMembers : number.format(count);
}
