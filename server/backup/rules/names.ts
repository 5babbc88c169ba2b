/** Names of backup files, and retention: the backups that are old enough to be deleted. */

const NAME = /^marshal-\d{4}-\d{2}-\d{2}T\d{6}Z\.backup$/;

/** `marshal-2026-11-26T013000Z.backup`; names in their order are times in their order. */
export function nameOf(at: Date): string {
  return `marshal-${at.toISOString().replace(/\.\d+/, '').replaceAll(':', '')}.backup`;
}

/** The name of a backup made before the data is replaced, which stays until somebody deletes it. */
export const nameBefore = (what: 'restore' | 'upgrade') => (at: Date) =>
  nameOf(at).replace('.backup', `-before-${what}.backup`);

/** The regular backups among some names, the newest first. Other files of a folder are not ours. */
export function backupsAmong(names: readonly string[]): string[] {
  return names
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed();
}

/** The time in a backup's name. */
export function timeOf(name: string): Date {
  const [, day = '', hour = '', minute = '', second = ''] = /^marshal-([\d-]+)T(\d\d)(\d\d)(\d\d)Z/.exec(name) ?? [];
  return new Date(`${day}T${hour}:${minute}:${second}Z`);
}

/** The backups to delete when only the newest stay. */
export const outdated = (names: readonly string[], keep: number): string[] => backupsAmong(names).slice(keep);
