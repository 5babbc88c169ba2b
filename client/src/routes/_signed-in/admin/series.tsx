import { createFileRoute } from '@tanstack/react-router';
import { SeriesPage } from '#client/features/missions/series/series-page.tsx';

export const Route = createFileRoute('/_signed-in/admin/series')({ component: SeriesPage });
