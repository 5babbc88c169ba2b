/** Query options for polling: refetches every `ms` while the tab is visible, and when it becomes visible again. */
export const polled = (ms: number) => ({ refetchInterval: ms, staleTime: ms });
