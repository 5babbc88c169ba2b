/** The memory of the machine or container, and smaller sizes for a small one. */
import { totalmem } from 'node:os';

const GIB = 1024 ** 3;

/** Bytes for Marshal and its embedded database: the limit of the container, where there is one. */
export function readMemory(): number {
  // 0 without a limit; version 1 of cgroups says a number beyond any machine
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * Sizes of the connection pool and of PostgreSQL's shared buffers. Each connection costs PostgreSQL 4 to 6 MB once it has answered some lists, and a
 * machine this small has too few processors for more statements at once.
 */
export function sizesFor(memory: number): { poolSize: number; sharedBuffers: string } {
  return memory < GIB ? { poolSize: 8, sharedBuffers: '32MB' } : { poolSize: 16, sharedBuffers: '128MB' };
}
