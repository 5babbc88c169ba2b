import { useMediaQuery } from '@mantine/hooks';

/** True where the layout is a phone's: the width below which the style sheets change, too. Right from the first render. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false;
