import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#client/components/link-button.tsx';
import { NotBuilt } from '#client/components/not-built.tsx';

export const Route = createFileRoute('/_signed-in/profile')({ component: ProfilePage });

function ProfilePage() {
  return (
    <NotBuilt
      screen="Profile"
      purpose="Call sign, time zone and password. The wizard’s profile step changes the first two today."
      action={<LinkButton to="/register/profile">Change call sign and time zone</LinkButton>}
    />
  );
}
