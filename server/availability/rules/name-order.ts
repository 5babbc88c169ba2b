/** Pilots in the order of their names, kept in order as they come and go: sorting thousands takes longer than any answer. */

type Named = { readonly name: string; readonly id: string };

export interface NameOrder {
  readonly handles: readonly number[];
  /** By number: the pilot's place in `handles`. For use before the next change. */
  places: () => Int32Array;
  add: (handle: number) => void;
  /** Call while the pilot still has the name under which it was added. */
  remove: (handle: number) => void;
}

/** Compares by code units: the same on every machine and in every locale. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By name, then by id. */
export const compareNames = (a: Named, b: Named): number => compareText(a.name, b.name) || compareText(a.id, b.id);

/** @param nameOf, idOf of the pilot with a number */
export function createNameOrder(
  pilots: readonly number[],
  nameOf: (handle: number) => string,
  idOf: (handle: number) => string,
): NameOrder {
  // an object for each comparison would take longer than the comparison
  const compare = (a: number, b: number): number => compareText(nameOf(a), nameOf(b)) || compareText(idOf(a), idOf(b));
  const handles = pilots.toSorted(compare);

  let places: Int32Array | null = null;

  /** The first place whose pilot does not come before this one. */
  function placeOf(handle: number): number {
    let [low, high] = [0, handles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(handles[middle] ?? handle, handle) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    handles,
    places() {
      if (!places) {
        places = new Int32Array(handles.reduce((most, handle) => Math.max(most, handle), -1) + 1);
        for (const [place, handle] of handles.entries()) places[handle] = place;
      }
      return places;
    },
    add(handle) {
      places = null;
      handles.splice(placeOf(handle), 0, handle);
    },
    remove(handle) {
      places = null;
      const place = placeOf(handle);
      if (handles[place] === handle) handles.splice(place, 1);
    },
  };
}
