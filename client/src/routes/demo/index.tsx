import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#client/components/link-button.tsx';
import { useSampleHome } from '#client/features/demo/sample-context.tsx';
import { SAMPLE_NAME } from '#client/features/demo/sample-home.ts';
import { HomeView } from '#client/features/home/home-view.tsx';

export const Route = createFileRoute('/demo/')({ component: DemoHome });

function DemoHome() {
  return (
    <HomeView
      name={SAMPLE_NAME}
      documentTitle="Demo Mode"
      actions={
        // Not preloaded, because the landing page would fetch the viewer.
        <LinkButton to="/" variant="default" preload={false}>
          Leave the demo
        </LinkButton>
      }
      data={useSampleHome()}
    />
  );
}
