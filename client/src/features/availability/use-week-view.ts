import { useMediaQuery } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { WeekView } from './week-view.ts';

/** Room for seven columns, and a pointer that can drag. */
const GRID_FITS = '(min-width: 48em) and (pointer: fine)';

/** The view that the address names, else the one that suits the screen; and how to change it. */
export function useWeekView(): [WeekView, (view: WeekView) => void] {
  const { view } = useSearch({ strict: false });
  const navigate = useNavigate();
  const gridFits = useMediaQuery(GRID_FITS, undefined, { getInitialValueInEffect: false }) ?? false;
  return [
    view ?? (gridFits ? 'grid' : 'list'),
    (next) => void navigate({ to: '.', search: (search) => ({ ...search, view: next }), resetScroll: false }),
  ];
}
