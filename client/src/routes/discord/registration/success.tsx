import { createFileRoute } from '@tanstack/react-router';
import { SuccessPage } from '#client/features/discord-registration/success-page.tsx';

export const Route = createFileRoute('/discord/registration/success')({ component: SuccessPage });
