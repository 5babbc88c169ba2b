import { createFileRoute } from '@tanstack/react-router';
import { AdminPage } from '#client/features/admin/admin-page.tsx';

export const Route = createFileRoute('/_signed-in/admin/dashboard')({ component: AdminPage });
