/** Worker thread that makes the OpenAPI document. */
import { yieldThread } from '#server/platform/thread-priority.ts';
import { createOpenApi } from './openapi.ts';

yieldThread();

export const run = (): string => JSON.stringify(createOpenApi());
