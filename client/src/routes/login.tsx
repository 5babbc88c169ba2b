import { createFileRoute } from '@tanstack/react-router';
import { LoginPage } from '#client/features/sign-in/login-page.tsx';

export const Route = createFileRoute('/login')({ component: LoginPage });
