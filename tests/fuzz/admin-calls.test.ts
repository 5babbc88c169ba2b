/** Contract fuzz of the calls for admins. */
import { fuzzContract } from './suite.ts';

fuzzContract((procedure) => procedure.startsWith('admin.'));
