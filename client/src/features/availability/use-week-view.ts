import { useNavigate, useSearch } from '@tanstack/react-router';
import type { WeekView } from './week-view.ts';

/** The view from the address, or else the grid, and its setter. */
export function useWeekView(): [WeekView, (view: WeekView) => void] {
  const { view } = useSearch({ strict: false });
  const navigate = useNavigate();
  return [
    view ?? 'grid',
    (next) => void navigate({ to: '.', search: (search) => ({ ...search, view: next }), resetScroll: false }),
  ];
}
