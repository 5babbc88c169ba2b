import { createFileRoute, Outlet } from '@tanstack/react-router';
import { DemoStrip } from '#client/features/demo/demo-strip.tsx';
import { SampleProvider } from '#client/features/demo/sample-context.tsx';
import { sampleDoors } from '#client/features/demo/sample-links.tsx';
import { DoorsProvider } from '#client/features/order/home-links.tsx';

export const Route = createFileRoute('/demo')({ component: Demo });

/** The home screens over sample data, with no call to the server. */
function Demo() {
  return (
    <SampleProvider>
      <DemoStrip />
      <DoorsProvider value={sampleDoors}>
        <Outlet />
      </DoorsProvider>
    </SampleProvider>
  );
}
