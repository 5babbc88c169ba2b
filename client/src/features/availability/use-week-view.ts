import { useMediaQuery } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { WeekView } from './week-view.ts';

/** Screens with room for seven columns and a precise pointer. */
const GRID_FITS = '(min-width: 48em) and (pointer: fine)';

/** The view from the address, or else the default for the screen, and its setter. */
export function useWeekView(): [WeekView, (view: WeekView) => void] {
  const { view } = useSearch({ strict: false });
  const navigate = useNavigate();
  const gridFits = useMediaQuery(GRID_FITS, undefined, { getInitialValueInEffect: false }) ?? false;
  return [
    view ?? (gridFits ? 'grid' : 'list'),
    (next) => void navigate({ to: '.', search: (search) => ({ ...search, view: next }), resetScroll: false }),
  ];
}
