import { createFileRoute } from '@tanstack/react-router';
import { DataSection } from '#client/features/profile/data-section.tsx';

export const Route = createFileRoute('/_signed-in/profile/data')({ component: DataSection });
