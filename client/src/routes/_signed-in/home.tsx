import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#client/components/link-button.tsx';
import { NotBuilt } from '#client/components/not-built.tsx';

export const Route = createFileRoute('/_signed-in/home')({ component: HomePage });

function HomePage() {
  return (
    <NotBuilt
      screen="Home"
      purpose="Your inbox, accepted missions, status and the next seven days."
      action={<LinkButton to="/availability">Edit Availability</LinkButton>}
    />
  );
}
