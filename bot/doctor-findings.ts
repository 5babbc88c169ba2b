/** `hint`: it works without, or only in part. `missing` makes the doctor's exit code 1. */
export interface Finding {
  state: 'ok' | 'hint' | 'missing';
  /** what was looked at */
  about: string;
  /** what was found, and what to do; one or two sentences */
  says: string;
}

export const ok = (about: string, says: string): Finding => ({ state: 'ok', about, says });
export const hint = (about: string, says: string): Finding => ({ state: 'hint', about, says });
export const missing = (about: string, says: string): Finding => ({ state: 'missing', about, says });
