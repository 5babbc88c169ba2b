import { createFileRoute } from '@tanstack/react-router';
import { MissionsByDatePage } from '#client/features/missions/missions-by-date-page.tsx';

export const Route = createFileRoute('/_signed-in/admin/missions/$date')({ component: MissionsByDatePage });
