import { createFileRoute } from '@tanstack/react-router';
import { AccountPage } from '#client/features/sign-up/account-page.tsx';

export const Route = createFileRoute('/register/account')({ component: AccountPage });
