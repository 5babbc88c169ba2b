import { createFileRoute } from '@tanstack/react-router';
import { PreferencesPage } from '#client/features/availability/preferences-page.tsx';

export const Route = createFileRoute('/_signed-in/register/preferences')({ component: PreferencesPage });
