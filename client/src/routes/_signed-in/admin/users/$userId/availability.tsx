import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#client/components/link-button.tsx';
import { NotBuilt } from '#client/components/not-built.tsx';

export const Route = createFileRoute('/_signed-in/admin/users/$userId/availability')({
  component: UserAvailabilityPage,
});

function UserAvailabilityPage() {
  return (
    <NotBuilt
      screen="User Availability"
      purpose="One pilot’s weekly schedule, dated windows, aircraft and assignments."
      action={<LinkButton to="/admin/missions">Create Mission</LinkButton>}
    />
  );
}
