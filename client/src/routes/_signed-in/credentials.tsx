import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/_signed-in/credentials')({
  component: RouteComponent,
});

function RouteComponent() {
  return <div>Hello "/_signed-in/credentials"!</div>;
}
