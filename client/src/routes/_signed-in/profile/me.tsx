import { createFileRoute } from '@tanstack/react-router';
import { MeSection } from '#client/features/profile/me-section.tsx';

export const Route = createFileRoute('/_signed-in/profile/me')({ component: MeSection });
