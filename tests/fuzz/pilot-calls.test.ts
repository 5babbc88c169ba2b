/** Contract fuzz of the calls that are not only for admins. */
import { fuzzContract } from './suite.ts';

fuzzContract((procedure) => !procedure.startsWith('admin.'));
