import { createFileRoute } from '@tanstack/react-router';
import { BackupsPage } from '#client/features/backups/backups-page.tsx';

export const Route = createFileRoute('/_signed-in/admin/backups')({ component: BackupsPage });
