/** Downloads of an accepted order and their URLs. */
export type OrderFile = 'kneeboard-day' | 'kneeboard-night' | 'calendar';

const PATHS: Record<OrderFile, string> = {
  'kneeboard-day': 'kneeboard.png?scheme=day',
  'kneeboard-night': 'kneeboard.png?scheme=night',
  calendar: 'calendar.ics',
};

/** Where the server makes the file. */
export function orderFileUrl(orderId: string, file: OrderFile): string {
  return `/api/v1/pilot/inbox/${orderId}/${PATHS[file]}`;
}
