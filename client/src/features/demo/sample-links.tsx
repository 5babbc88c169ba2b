import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { showToast } from '#client/lib/toast.ts';

interface HomeLinkProps {
  className?: string | undefined;
  children: ReactNode;
}

interface ButtonLinkProps extends HomeLinkProps {
  size?: 'xs' | 'sm';
}

/** Toast for features that need an account. */
const sayLater = (what: string): void => {
  showToast(`${what} works after you register.`, { signal: 'cyan' });
};

/** Links of the demo's home page: its own pages, and toasts for pages that need an account. */
export const sampleHomeLinks = {
  OrderLink: ({ id, ...rest }: HomeLinkProps & { id: string }) => (
    <Link to="/demo/orders/$orderId" params={{ orderId: id }} {...rest} />
  ),
  MissionLink: ({ className, children }: HomeLinkProps & { id: string }) => (
    <button type="button" className={className} onClick={() => sayLater('The mission page')}>
      {children}
    </button>
  ),
  FileLink: ({ file, className, children }: HomeLinkProps & { file: string }) => (
    <button
      type="button"
      className={className}
      onClick={() => sayLater(file === 'calendar' ? 'The calendar file' : 'The kneeboard card')}
    >
      {children}
    </button>
  ),
  HomeButton: (props: ButtonLinkProps) => <LinkButton to="/demo" variant="light" {...props} />,
  AvailabilityButton: (props: ButtonLinkProps) => (
    <Button variant="light" onClick={() => sayLater('Editing availability')} {...props} />
  ),
};
