import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#client/components/link-button.tsx';
import { NotBuilt } from '#client/components/not-built.tsx';

export const Route = createFileRoute('/_signed-in/admin/missions/')({ component: CreateMissionPage });

function CreateMissionPage() {
  return (
    <NotBuilt
      screen="Create Mission"
      purpose="Build a mission from aircraft slots."
      action={<LinkButton to="/home">Home</LinkButton>}
    />
  );
}
