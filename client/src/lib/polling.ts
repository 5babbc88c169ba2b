/** Read again every `ms` while the tab is seen, and when it is seen again. */
export const polled = (ms: number) => ({ refetchInterval: ms, staleTime: ms });
