import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';

interface InstallLinkProps {
  /** Discord's install page */
  url: string;
  variant?: 'filled' | 'default';
}

/** Link to Discord's page for installing the bot. */
export function InstallLink({ url, variant = 'filled' }: InstallLinkProps) {
  return (
    <Button
      component="a"
      href={url}
      target="_blank"
      rel="noreferrer"
      variant={variant}
      rightSection={<IconExternalLink size={18} aria-hidden="true" />}
    >
      Add to a server
    </Button>
  );
}
