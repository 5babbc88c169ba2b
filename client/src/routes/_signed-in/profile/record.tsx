import { createFileRoute } from '@tanstack/react-router';
import { RecordSection } from '#client/features/profile/record-section.tsx';

export const Route = createFileRoute('/_signed-in/profile/record')({ component: RecordSection });
