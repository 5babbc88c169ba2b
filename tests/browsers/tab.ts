/** A browser page, with the actions that all tested browsers support. */

export interface Point {
  x: number;
  y: number;
}

export interface Tab {
  /** the browser's name and version */
  engine: string;
  open: (address: string) => Promise<void>;
  /** Run a function in the page. It cannot use variables of the test; its arguments and result are JSON. */
  ask: <Args extends unknown[], Value>(question: (...args: Args) => Value, ...args: Args) => Promise<Value>;
  /** Press, drag and release the mouse; a single point is a click. */
  draw: (path: readonly Point[]) => Promise<void>;
  /** Type into the focused element with the browser's keyboard input. */
  type: (text: string) => Promise<void>;
  /** The size of the page's own window, in px. */
  resize: (width: number, height: number) => Promise<void>;
  /** The page that is open is one of this origin. */
  setCookies: (origin: string, cookies: readonly { name: string; value: string }[]) => Promise<void>;
  clearCookies: () => Promise<void>;
  /** PNG of the window's content */
  picture: () => Promise<Buffer>;
  close: () => Promise<void>;
}
