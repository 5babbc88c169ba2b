import { createFileRoute } from '@tanstack/react-router';
import { AircraftSection } from '#client/features/profile/aircraft-section.tsx';

export const Route = createFileRoute('/_signed-in/profile/aircraft')({ component: AircraftSection });
