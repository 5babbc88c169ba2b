/**
 * Zod with its JIT compiler off in browsers. Zod probes for `eval`, and the content security policy would report every
 * probe. Schemas import `z` from here, so that the setting applies before the first schema in any bundle order; the server
 * keeps the compiler.
 */
import { config } from 'zod';

if ('document' in globalThis) config({ jitless: true });

export { z } from 'zod';
