/**
 * Zod as pages can have it. It compiles object schemas where `eval` works, and tries that out; a page whose content
 * security policy forbids it would report each try. Whoever makes a schema takes `z` from here, so that the switch is
 * set first whatever order a bundler puts modules in; servers keep the compiler.
 */
import { config } from 'zod';

if ('document' in globalThis) config({ jitless: true });

export { z } from 'zod';
