/** The key in the name of a mission file's download, by which a game server finds the mission: `op.marshal-5f0e8a4b6c01.miz`. */
import { MISSION_FILE } from '#shared/limits.ts';

const KEY_LENGTH = 12;
const KEYED = /\.marshal-[0-9a-f]+(?=\.miz$)/i;
const EXTENSION = /\.miz$/i;

/** The random end of a mission's id, which no two missions share in practice. */
export const fileKey = (missionId: string): string => missionId.slice(-KEY_LENGTH);

/** A file's name with the key of its mission, in place of another one; a long name is cut so that it can be uploaded again. */
export function keyedName(name: string, missionId: string): string {
  const end = `.marshal-${fileKey(missionId)}.miz`;
  const stem = name.replace(KEYED, '').replace(EXTENSION, '');
  return Array.from(stem)
    .slice(0, MISSION_FILE.nameLength - end.length)
    .join('')
    .concat(end);
}
