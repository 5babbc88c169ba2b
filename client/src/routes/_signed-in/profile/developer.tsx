import { createFileRoute } from '@tanstack/react-router';
import { DeveloperSection } from '#client/features/profile/developer-section.tsx';

export const Route = createFileRoute('/_signed-in/profile/developer')({ component: DeveloperSection });
