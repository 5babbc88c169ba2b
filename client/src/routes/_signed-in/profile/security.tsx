import { createFileRoute } from '@tanstack/react-router';
import { SecuritySection } from '#client/features/profile/security-section.tsx';

export const Route = createFileRoute('/_signed-in/profile/security')({ component: SecuritySection });
