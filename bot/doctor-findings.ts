/** Result of one check of `npm run bot:doctor`. `hint`: optional, or works in part; `missing`: makes the exit code 1. */
export interface Finding {
  state: 'ok' | 'hint' | 'missing';
  /** subject of the check */
  about: string;
  /** finding and remedy, one or two sentences */
  says: string;
}

export const ok = (about: string, says: string): Finding => ({ state: 'ok', about, says });
export const hint = (about: string, says: string): Finding => ({ state: 'hint', about, says });
export const missing = (about: string, says: string): Finding => ({ state: 'missing', about, says });
