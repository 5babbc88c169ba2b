/** Comparison of an aircraft type, as a source names it, with an aircraft of the catalogue. */
import { codesOfType } from '#server/missions/mission-file/rules/dcs-types.ts';

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Sources name a type by the id of the mission editor (`FA-18C_hornet`), by its designation (`F/A-18C`), or by that with the
 * popular name (`F-16C Fighting Falcon`): the designation decides, without punctuation.
 */
export function isSameAircraft(seen: string, ordered: { code: string; name: string }): boolean {
  const [designation = ''] = ordered.name.split(' ');
  const names = new Set([ordered.code, ordered.name, designation].map(plain));
  const seenAs = [...codesOfType(seen), seen.split(' ')[0] ?? ''].map(plain);
  return seenAs.some((name) => name !== '' && names.has(name));
}
