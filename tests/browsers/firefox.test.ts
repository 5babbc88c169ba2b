import { findFirefox } from './find.js';
import { openFirefox } from './firefox.ts';
import { describeBrowser } from './suite.ts';

describeBrowser('Firefox', () => openFirefox(findFirefox() ?? 'firefox'));
