import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#client/components/link-button.tsx';
import { NotBuilt } from '#client/components/not-built.tsx';

export const Route = createFileRoute('/_signed-in/admin/missions/$date')({ component: MissionDetailsPage });

function MissionDetailsPage() {
  return (
    <NotBuilt
      screen="Mission Details"
      purpose="The missions of one date with packages, flights and seats."
      action={<LinkButton to="/admin/missions">Create Mission</LinkButton>}
    />
  );
}
