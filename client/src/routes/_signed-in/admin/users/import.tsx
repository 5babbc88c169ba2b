import { createFileRoute } from '@tanstack/react-router';
import { ImportPage } from '#client/features/accounts/import-page.tsx';

export const Route = createFileRoute('/_signed-in/admin/users/import')({ component: ImportPage });
