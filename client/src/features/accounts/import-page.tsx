import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { FormError, FormNote } from '#client/components/form-error.tsx';
import { LeaveGuard } from '#client/components/leave-guard.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { LoadingState } from '#client/components/query-states.tsx';
import { count } from '#shared/plural.ts';
import { ImportFile } from './import-file.tsx';
import { ImportRows } from './import-rows.tsx';
import { PersonalLinks } from './personal-links.tsx';
import { importCopy } from './import-text.ts';
import { downloadProblems } from './pilots-csv.ts';
import { toStore, useImport, type ImportResult } from './use-import.ts';
import classes from './import-page.module.css';

/** /admin/users/import: pilots from a spreadsheet, previewed before they are stored. */
export function ImportPage() {
  const { stage, begin, run, refuse, restart } = useImport();
  return (
    <>
      <Link to="/admin/users" className={classes.back}>
        ← Users
      </Link>
      <PageHeader title="Import pilots" lead={importCopy.lead} />
      <LeaveGuard isDirty={stage.kind === 'importing'}>{importCopy.leave}</LeaveGuard>
      {stage.kind === 'choose' && <ImportFile problem={stage.problem} onText={begin} onProblem={refuse} />}
      {stage.kind === 'checking' && (
        <Panel title="Preview">
          <LoadingState text="Checking the file..." rows={8} />
        </Panel>
      )}
      {stage.kind === 'importing' && <Progress done={stage.done} total={stage.total} />}
      {stage.kind === 'preview' && (
        <>
          <FormError message={stage.error} />
          {stage.note !== null && (
            <FormNote>
              <span>{stage.note}</span>
            </FormNote>
          )}
          {stage.preview.ignoredColumns.length > 0 && (
            <FormNote>
              <span>
                {stage.preview.ignoredColumns.length === 1 ? 'This column is' : 'These columns are'} left out:{' '}
                {stage.preview.ignoredColumns.join(', ')}.
              </span>
            </FormNote>
          )}
          <ImportRows
            preview={stage.preview}
            actions={
              <>
                <Button variant="default" onClick={restart}>
                  Other file
                </Button>
                <Button disabled={toStore(stage.preview).length === 0} onClick={() => void run(stage.preview)}>
                  Import {count(toStore(stage.preview).length, 'pilot')}
                </Button>
              </>
            }
          />
        </>
      )}
      {stage.kind === 'done' && <Result result={stage.result} onRestart={restart} />}
    </>
  );
}

function Progress({ done, total }: { done: number; total: number }) {
  return (
    <Panel title="Importing">
      <div className={classes.progress}>
        <progress max={total} value={done} aria-label="Imported pilots" />
        <output>
          {done.toLocaleString('en-US')} of {count(total, 'pilot')}
        </output>
      </div>
    </Panel>
  );
}

function Result({ result, onRestart }: { result: ImportResult; onRestart: () => void }) {
  const { created, updated, bad, needLinks } = result;
  const parts = [
    ...(created > 0 ? [`${count(created, 'pilot')} added`] : []),
    ...(updated > 0 ? [`${count(updated, 'pilot')} changed`] : []),
  ];
  return (
    <Panel title="Done">
      <div className={classes.result}>
        <p role="status" className={classes.sentence}>
          {parts.length === 0 ? importCopy.nothing : `${parts.join(', ')}.`}
        </p>
        {bad.length > 0 && (
          <div className={classes.next}>
            <p>
              {bad.length === 1
                ? '1 row was left out because of a problem.'
                : `${bad.length} rows were left out because of problems.`}
            </p>
            <Button variant="default" onClick={() => void downloadProblems(bad)}>
              Download these rows
            </Button>
          </div>
        )}
        {needLinks.length > 0 && <PersonalLinks ids={needLinks} />}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onRestart}>
            Import another file
          </Button>
          <LinkButton variant={needLinks.length > 0 ? 'default' : 'filled'} to="/admin/users">
            Show users
          </LinkButton>
        </div>
      </div>
    </Panel>
  );
}
