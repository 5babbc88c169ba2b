import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#client/components/link-button.tsx';
import { NotBuilt } from '#client/components/not-built.tsx';

export const Route = createFileRoute('/_signed-in/admin/users/')({ component: UsersPage });

function UsersPage() {
  return (
    <NotBuilt
      screen="Users"
      purpose="Search users, change roles and reset passwords."
      action={<LinkButton to="/admin/missions">Create Mission</LinkButton>}
    />
  );
}
