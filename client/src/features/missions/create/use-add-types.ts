import { useState } from 'react';
import { errorMessage } from '#client/lib/errors.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { AIRCRAFT } from '#shared/limits.ts';
import type { UploadedGroup } from '#shared/schemas/mission-file.ts';

/** A type of a mission file that is not in the aircraft list, with its groups. */
export interface MissingType {
  type: string;
  aircraftName: string;
  first: UploadedGroup;
  groups: readonly UploadedGroup[];
}

/** Types of the groups in the order of the file. */
export function findTypes(groups: readonly UploadedGroup[]): MissingType[] {
  return [...Map.groupBy(groups, ({ type }) => type)].flatMap(([type, ofType]) =>
    ofType.slice(0, 1).map((first) => ({ type, aircraftName: first.aircraftName, first, groups: ofType })),
  );
}

const requestOf = ({ type, aircraftName, first: { crewStations, usualRoles, role } }: MissingType) => ({
  code: type.slice(0, AIRCRAFT.codeLength),
  name: aircraftName.slice(0, AIRCRAFT.nameLength),
  seats: crewStations,
  roles: usualRoles.length > 0 ? usualRoles : [role],
});

/** `Su-25, Su-27 were not added: An installation can have 200 types.`, a sentence for each reason */
function failureWords(reasons: ReadonlyMap<string, string>): string | null {
  const sentences = [...Map.groupBy(reasons, ([, reason]) => reason)].map(([reason, failed]) => {
    const names = failed.map(([type]) => type).join(', ');
    return `${names} ${failed.length === 1 ? 'was' : 'were'} not added: ${reason}`;
  });
  return sentences.length > 0 ? sentences.join(' ') : null;
}

/**
 * Adds types of a mission file to the aircraft list, one after the other. A type that is refused does not stop the others.
 * @param onAdded receives the ids of the new aircraft, by type
 */
export function useAddTypes(onAdded: (ids: ReadonlyMap<string, number>) => void) {
  const utils = trpc.useUtils();
  const create = trpc.admin.aircraft.create.useMutation();
  const [adding, setAdding] = useState<readonly MissingType[]>([]);
  const [error, setError] = useState<string | null>(null);
  const add = async (types: readonly MissingType[]): Promise<void> => {
    setAdding(types);
    setError(null);
    const ids = new Map<string, number>();
    const reasons = new Map<string, string>();
    for (const missing of types) {
      try {
        const { id } = await create.mutateAsync(requestOf(missing));
        ids.set(missing.type, id);
      } catch (cause) {
        reasons.set(missing.type, errorMessage(cause, copy.unknownError));
      }
    }
    void utils.admin.aircraft.invalidate();
    await utils.availability.aircraft.invalidate();
    setAdding([]);
    setError(failureWords(reasons));
    if (ids.size > 0) onAdded(ids);
  };
  return { add, adding, error };
}
