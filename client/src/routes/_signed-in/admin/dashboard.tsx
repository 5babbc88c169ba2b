import { createFileRoute } from '@tanstack/react-router';
import { AdminPage } from '#client/features/admin/admin-page.tsx';
import { readBoardSearch } from '#client/features/admin/board-search.ts';

export const Route = createFileRoute('/_signed-in/admin/dashboard')({
  component: AdminPage,
  validateSearch: readBoardSearch,
});
