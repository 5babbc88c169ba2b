/** A link to another site that somebody typed: opened in a new tab, which learns nothing about this one. */
import type { ReactNode } from 'react';

interface OutsideLinkProps {
  url: string;
  className?: string | undefined;
  children: ReactNode;
}

export function OutsideLink({ url, className, children }: OutsideLinkProps) {
  return (
    <a href={url} className={className} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
