import { createFileRoute } from '@tanstack/react-router';
import { NotificationsSection } from '#client/features/profile/notifications-section.tsx';

export const Route = createFileRoute('/_signed-in/profile/notifications')({ component: NotificationsSection });
