/** Search parameters of the aircraft page. Kept small, because the entry chunk contains it. */
const SHOWN = ['on', 'off', 'own'] as const;

export interface AircraftSearch {
  /** part of a name or code */
  query?: string;
  /** only the types that are switched on, or off, or the community's own; all without it */
  show?: (typeof SHOWN)[number];
}

/** Invalid values become undefined. */
export function readAircraftSearch({ query, show }: Record<string, unknown>): AircraftSearch {
  const text = typeof query === 'string' || typeof query === 'number' ? String(query).slice(0, 80) : '';
  return { query: text === '' ? undefined : text, show: SHOWN.find((one) => one === show) };
}
