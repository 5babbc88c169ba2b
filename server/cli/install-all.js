// Before npm scripts that call a tool directly: install it, if only what a start needs is there.
import { ensureInstalled, runMain } from './bootstrap.js';

await runMain(() => ensureInstalled());
