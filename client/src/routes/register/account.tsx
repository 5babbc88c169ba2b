import { createFileRoute } from '@tanstack/react-router';
import { AccountPage } from '#client/features/sign-up/account-page.tsx';
import { readAccountSearch } from '#client/features/sign-up/account-search.ts';

export const Route = createFileRoute('/register/account')({ component: Account, validateSearch: readAccountSearch });

function Account() {
  return <AccountPage invite={Route.useSearch().invite} />;
}
