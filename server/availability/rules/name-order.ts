/** Pilots in the order of their names, kept in order as they come and go: sorting thousands takes longer than any answer. */

type Named = { readonly name: string; readonly id: string };

export interface NameOrder {
  readonly handles: readonly number[];
  add: (handle: number) => void;
  /** Call while the pilot still has the name under which it was added. */
  remove: (handle: number) => void;
}

/** By name, then by id. */
export const compareNames = (a: Named, b: Named): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;

/** @param nameOf, idOf of the pilot with a number */
export function createNameOrder(
  pilots: readonly number[],
  nameOf: (handle: number) => string,
  idOf: (handle: number) => string,
): NameOrder {
  const named = (handle: number): Named => ({
    name: nameOf(handle),
    // most names differ
    get id() {
      return idOf(handle);
    },
  });
  const handles = pilots.toSorted((a, b) => compareNames(named(a), named(b)));

  /** The first place whose pilot does not come before this one. */
  function placeOf(handle: number): number {
    const pilot = named(handle);
    let [low, high] = [0, handles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareNames(named(handles[middle] ?? handle), pilot) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    handles,
    add(handle) {
      handles.splice(placeOf(handle), 0, handle);
    },
    remove(handle) {
      const place = placeOf(handle);
      if (handles[place] === handle) handles.splice(place, 1);
    },
  };
}
