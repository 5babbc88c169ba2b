import { createFileRoute, Outlet } from '@tanstack/react-router';
import { DemoStrip } from '#client/features/demo/demo-strip.tsx';
import { SampleProvider } from '#client/features/demo/sample-context.tsx';
import { sampleHomeLinks } from '#client/features/demo/sample-links.tsx';
import { HomeLinksProvider } from '#client/features/order/home-links.tsx';

export const Route = createFileRoute('/demo')({ component: Demo });

/** The demo: the home screens with sample data, without calls to the server. */
function Demo() {
  return (
    <SampleProvider>
      <DemoStrip />
      <HomeLinksProvider value={sampleHomeLinks}>
        <Outlet />
      </HomeLinksProvider>
    </SampleProvider>
  );
}
