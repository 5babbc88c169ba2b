import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#client/components/link-button.tsx';
import { NotBuilt } from '#client/components/not-built.tsx';

export const Route = createFileRoute('/demo')({ component: DemoPage });

function DemoPage() {
  return (
    <NotBuilt
      screen="Demo Mode"
      purpose="A pilot home with sample data, to look around without an account."
      action={<LinkButton to="/register/account">Register</LinkButton>}
    />
  );
}
