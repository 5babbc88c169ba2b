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

/** What needs an account says so. */
const sayLater = (what: string): void => {
  showToast(`${what} works after you register.`, { signal: 'cyan' });
};

/** The doors of the demo: its own pages, and a word about what is behind the others. */
export const sampleHomeLinks = {
  OrderLink: ({ id, ...rest }: HomeLinkProps & { id: string }) => (
    <Link to="/demo/orders/$orderId" params={{ orderId: id }} {...rest} />
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
