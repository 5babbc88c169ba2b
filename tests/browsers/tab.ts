/** One page of some browser, as far as all browsers under test can be driven. */

export interface Point {
  x: number;
  y: number;
}

export interface Tab {
  /** the browser's name and version */
  engine: string;
  open: (address: string) => Promise<void>;
  /** Run a function in the page. It knows nothing of the test around it; what it takes and gives back is JSON. */
  ask: <Args extends unknown[], Value>(question: (...args: Args) => Value, ...args: Args) => Promise<Value>;
  /** Press, draw and let go with the mouse; one point alone is a click. */
  draw: (path: readonly Point[]) => Promise<void>;
  /** Type where the focus is, by the browser's own keyboard. */
  type: (text: string) => Promise<void>;
  /** The size of the page's own window, in px. */
  resize: (width: number, height: number) => Promise<void>;
  /** The page that is open is one of this origin. */
  setCookies: (origin: string, cookies: readonly { name: string; value: string }[]) => Promise<void>;
  clearCookies: () => Promise<void>;
  /** PNG of what the window shows */
  picture: () => Promise<Buffer>;
  close: () => Promise<void>;
}
