/** Sizes of files in words. */

/** `12 kB`, `4.8 MB` */
export const formatSize = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
