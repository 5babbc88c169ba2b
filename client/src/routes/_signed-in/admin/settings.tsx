import { createFileRoute } from '@tanstack/react-router';
import { SettingsPage } from '#client/features/community/settings-page.tsx';

export const Route = createFileRoute('/_signed-in/admin/settings')({ component: SettingsPage });
