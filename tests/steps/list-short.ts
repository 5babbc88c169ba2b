/** Prints the short form of the tests for what has changed, as JSON: `tests/run.js` also runs under a Node without TypeScript. */
import { listChanged } from './changes.js';
import { readGraph } from './changed/graph.ts';
import { readDurations } from './durations.js';
import { chooseShort } from './short.ts';

console.log(JSON.stringify(chooseShort(readGraph(), listChanged(), readDurations())));
