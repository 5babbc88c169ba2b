import { findWebKit } from './find.js';
import { describeBrowser } from './suite.ts';
import { openWebKit } from './webkit.ts';

describeBrowser('WebKitGTK', () => openWebKit(findWebKit() ?? { driver: 'WebKitWebDriver', screen: 'Xvfb' }));
