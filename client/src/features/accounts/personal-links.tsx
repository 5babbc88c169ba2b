import { Button } from '@mantine/core';
import { IconDownload, IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { trpc, trpcClient } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { PASSWORD_LINKS_MAX } from '#shared/limits.ts';
import { count } from '#shared/plural.ts';
import { importCopy } from './import-text.ts';
import { downloadLinks } from './pilots-csv.ts';
import classes from './import-page.module.css';

/** After an import: the personal links of the pilots who have no password yet, as a file or by email. */
export function PersonalLinks({ ids }: { ids: readonly string[] }) {
  const [made, setMade] = useState<number | null>(null);
  const [isSaved, setSaved] = useState(false);
  const [sent, setSent] = useState<number | null>(null);
  const ways = trpc.auth.ways.useQuery(undefined, { staleTime: Infinity });
  const [error, setError] = useState<Told>(null);
  const download = async (): Promise<void> => {
    setError(null);
    setMade(0);
    try {
      await downloadLinks(ids, setMade);
      setSaved(true);
    } catch (cause) {
      setError(failureOf(cause, copy.unknownError, importCopy.linksFailed));
    } finally {
      setMade(null);
    }
  };
  const send = async (): Promise<void> => {
    setError(null);
    try {
      for (let done = 0; done < ids.length; done += PASSWORD_LINKS_MAX) {
        setSent(done);
        await trpcClient.admin.mail.sendPasswordLinks.mutate({ ids: ids.slice(done, done + PASSWORD_LINKS_MAX) });
      }
      setSent(ids.length);
    } catch (cause) {
      setError(failureOf(cause, copy.unknownError, importCopy.mailFailed));
      setSent(null);
    }
  };
  return (
    <div className={classes.links}>
      <FormError message={error} />
      <p>
        <strong>
          {count(ids.length, 'pilot')} {ids.length === 1 ? 'has' : 'have'} no password yet.
        </strong>{' '}
        {importCopy.noPassword}
      </p>
      <Button
        leftSection={<IconDownload size={18} aria-hidden="true" />}
        disabled={made !== null}
        onClick={() => void download()}
      >
        {made === null ? 'Download sign-in links' : `${made} of ${ids.length} links`}
      </Button>
      {ways.data?.mail === true && (
        <Button
          variant="default"
          leftSection={<IconMail size={18} aria-hidden="true" />}
          disabled={made !== null || sent !== null}
          onClick={() => void send()}
        >
          {sent === null ? 'Send them by email' : `${sent} of ${ids.length} queued`}
        </Button>
      )}
      {sent === ids.length && <output className={classes.hint}>{importCopy.linksQueued}</output>}
      {isSaved && <output className={classes.hint}>Saved. The links are only in that file.</output>}
    </div>
  );
}
