import { createFileRoute } from '@tanstack/react-router';
import { AvailabilityPage } from '#client/features/availability/availability-page.tsx';

export const Route = createFileRoute('/_signed-in/availability')({ component: AvailabilityPage });
