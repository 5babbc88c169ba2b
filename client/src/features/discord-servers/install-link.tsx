import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';

interface InstallLinkProps {
  /** Discord's page for it */
  url: string;
  variant?: 'filled' | 'default';
}

/** The way to Discord, where the owner of a server installs the bot. */
export function InstallLink({ url, variant = 'filled' }: InstallLinkProps) {
  return (
    <Button
      component="a"
      href={url}
      target="_blank"
      rel="noreferrer"
      variant={variant}
      rightSection={<IconExternalLink size={18} stroke={1.75} aria-hidden="true" />}
    >
      Add to a server
    </Button>
  );
}
