import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '#client/lib/errors.ts';
import { showToast } from '#client/lib/toast.ts';
import { copy } from '#shared/copy.ts';
import { usersCopy } from './users-text.ts';
import type { UsersSearch } from './users-search.ts';
import classes from './users-page.module.css';

interface CsvButtonProps {
  search: UsersSearch;
  disabled: boolean;
}

/** Button that exports all pages of the filtered and sorted user list as CSV. */
export function CsvButton({ search, disabled }: CsvButtonProps) {
  /** users loaded so far; null when no export is running */
  const [progress, setProgress] = useState<{ read: number; total: number } | null>(null);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  const download = async (): Promise<void> => {
    const { signal } = leaving.current;
    setProgress({ read: 0, total: 0 });
    try {
      const { exportUsers } = await import('./users-csv.ts');
      await exportUsers(search, signal, (read, total) => setProgress({ read, total }));
    } catch (cause) {
      if (!signal.aborted) {
        showToast(`${usersCopy.exportFailed}${errorMessage(cause, copy.unknownError)}`, { signal: 'red' });
      }
    } finally {
      setProgress(null);
    }
  };

  return (
    <Button
      variant="default"
      className={classes.csv}
      leftSection={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
      disabled={disabled || progress !== null}
      onClick={() => void download()}
    >
      {progress === null ? 'CSV' : `CSV ${progress.read} of ${progress.total || '…'}`}
    </Button>
  );
}
