import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { errorMessage } from '#client/lib/errors.ts';
import { copy } from '#shared/copy.ts';
import { importCopy, pilots } from './import-text.ts';
import { downloadLinks } from './pilots-csv.ts';
import classes from './import-page.module.css';

/** After an import: a file with the personal links of the pilots who have no password yet. */
export function PersonalLinks({ ids }: { ids: readonly string[] }) {
  const [made, setMade] = useState<number | null>(null);
  const [isSaved, setSaved] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const download = async (): Promise<void> => {
    setError(null);
    setMade(0);
    try {
      await downloadLinks(ids, setMade);
      setSaved(true);
    } catch (cause) {
      setError(`${importCopy.linksFailed}${errorMessage(cause, copy.unknownError)}`);
    } finally {
      setMade(null);
    }
  };
  return (
    <div className={classes.links}>
      <FormError message={error} />
      <p>
        <strong>
          {pilots(ids.length)} {ids.length === 1 ? 'has' : 'have'} no password yet.
        </strong>{' '}
        {importCopy.noPassword}
      </p>
      <Button
        leftSection={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
        disabled={made !== null}
        onClick={() => void download()}
      >
        {made === null ? 'Download sign-in links' : `${made} of ${ids.length} links`}
      </Button>
      {isSaved && <output className={classes.hint}>Saved. The links are only in that file.</output>}
    </div>
  );
}
