import { createFileRoute } from '@tanstack/react-router';
import { StatusPage } from '#client/features/sign-up/status-page.tsx';

export const Route = createFileRoute('/_signed-in/register/status')({ component: StatusPage });
