import { createFileRoute } from '@tanstack/react-router';
import { AdminPage } from '#client/features/board/admin-page.tsx';
import { readBoardSearch } from '#client/features/board/board-search.ts';
import { loadBoard } from '#client/features/board/load-board.ts';

export const Route = createFileRoute('/_signed-in/admin/dashboard')({
  component: AdminPage,
  validateSearch: readBoardSearch,
  loader: loadBoard,
});
