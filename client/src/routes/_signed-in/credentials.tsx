import { createFileRoute } from '@tanstack/react-router';
import { CredentialsPage } from '#client/features/discord-registration/credentials-page.tsx';

export const Route = createFileRoute('/_signed-in/credentials')({ component: CredentialsPage });
