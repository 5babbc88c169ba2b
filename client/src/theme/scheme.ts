import { localStorageColorSchemeManager } from '@mantine/core';

/** public/boot.js reads the same key before the first paint. */
const SCHEME_STORAGE_KEY = 'marshal-colour-scheme';

export const schemeManager = localStorageColorSchemeManager({ key: SCHEME_STORAGE_KEY });
