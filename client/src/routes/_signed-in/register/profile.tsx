import { createFileRoute } from '@tanstack/react-router';
import { ProfilePage } from '#client/features/sign-up/profile-page.tsx';

export const Route = createFileRoute('/_signed-in/register/profile')({ component: ProfilePage });
