import { LinkButton } from '#client/components/link-button.tsx';
import { NotBuilt } from '#client/components/not-built.tsx';

/** /admin and /admin/dashboard. */
export function AdminPage() {
  return (
    <NotBuilt
      screen="Operations board"
      purpose="The next seven days at a glance, recommended times and upcoming launches."
      action={<LinkButton to="/admin/missions">Create Mission</LinkButton>}
    />
  );
}
