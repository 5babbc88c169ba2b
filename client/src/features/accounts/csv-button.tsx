import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { showFailure } from '#client/lib/failure.ts';
import { copy } from '#shared/copy.ts';
import { usersCopy } from './users-text.ts';
import type { UsersSearch } from './users-search.ts';
import classes from './users-page.module.css';

interface CsvButtonProps {
  search: UsersSearch;
  disabled: boolean;
}

/** Button that exports the pilots of the filtered and sorted user list as a CSV file, which an import reads back. */
export function CsvButton({ search, disabled }: CsvButtonProps) {
  const [isRunning, setRunning] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  const download = async (): Promise<void> => {
    const { signal } = leaving.current;
    setRunning(true);
    try {
      const { exportUsers } = await import('./pilots-csv.ts');
      await exportUsers(search, signal);
    } catch (cause) {
      if (!signal.aborted) {
        showFailure(cause, copy.unknownError, usersCopy.exportFailed);
      }
    } finally {
      setRunning(false);
    }
  };

  return (
    <Button
      variant="default"
      className={classes.csv}
      leftSection={<IconDownload size={18} aria-hidden="true" />}
      disabled={disabled || isRunning}
      onClick={() => void download()}
    >
      Export CSV
    </Button>
  );
}
