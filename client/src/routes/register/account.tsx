import { createFileRoute } from '@tanstack/react-router';
import { AccountPage } from '#client/features/sign-up/account-page.tsx';

export const Route = createFileRoute('/register/account')({
  component: Account,
  // token of an invite link
  validateSearch: ({ invite }: Record<string, unknown>): { invite?: string } =>
    typeof invite === 'string' && invite !== '' ? { invite } : {},
});

function Account() {
  return <AccountPage invite={Route.useSearch().invite} />;
}
