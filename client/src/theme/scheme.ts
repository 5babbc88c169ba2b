import { localStorageColorSchemeManager } from '@mantine/core';

/** Local storage key; public/boot.js reads it before the first paint. */
const SCHEME_STORAGE_KEY = 'marshal-colour-scheme';

export const schemeManager = localStorageColorSchemeManager({ key: SCHEME_STORAGE_KEY });
