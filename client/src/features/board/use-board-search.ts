import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { BoardSearch } from './board-search.ts';

export type ChangeBoard = (change: BoardSearch) => void;

/** Search parameters of the board and their setter, which is stable. */
export function useBoardSearch(): [BoardSearch, ChangeBoard] {
  const search: BoardSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback<ChangeBoard>(
    (next) => void navigate({ to: '.', search: (old) => ({ ...old, ...next }), resetScroll: false }),
    [navigate],
  );
  return [search, change];
}
