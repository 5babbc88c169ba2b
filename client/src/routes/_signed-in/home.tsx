import { createFileRoute } from '@tanstack/react-router';
import { HomeGuide } from '#client/features/board/home-guide.tsx';
import { HomePage } from '#client/features/home/home-page.tsx';

export const Route = createFileRoute('/_signed-in/home')({ component: () => <HomePage guide={<HomeGuide />} /> });
