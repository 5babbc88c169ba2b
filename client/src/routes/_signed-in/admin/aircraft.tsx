import { createFileRoute } from '@tanstack/react-router';
import { AircraftPage } from '#client/features/aircraft/aircraft-page.tsx';
import { readAircraftSearch } from '#client/features/aircraft/aircraft-search.ts';

export const Route = createFileRoute('/_signed-in/admin/aircraft')({
  component: AircraftPage,
  validateSearch: readAircraftSearch,
});
