import '@mantine/core/styles/Input.css';
import { Button, Textarea } from '@mantine/core';
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react';
import { useState } from 'react';
import { FileDrop } from '#client/components/file-drop.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { Panel } from '#client/components/panel.tsx';
import { COLUMN_HELP, importCopy } from './import-text.ts';
import { downloadTemplate } from './pilots-csv.ts';
import { readTextFile } from './read-file.ts';
import classes from './import-page.module.css';

interface ImportFileProps {
  /** why the last file could not be read; null for none */
  problem: string | null;
  onText: (text: string) => Promise<void>;
  onProblem: (sentence: string) => void;
}

/** First step of an import: a file to choose or drop, or cells to paste, and what the columns mean. */
export function ImportFile({ problem, onText, onProblem }: ImportFileProps) {
  const [pasted, setPasted] = useState('');
  const read = (file: File): void => {
    readTextFile(file).then(onText, (cause: unknown) => onProblem(cause instanceof Error ? cause.message : ''));
  };
  return (
    <div className={classes.choose}>
      <Panel title="Your pilots">
        <FormError message={problem} />
        <FileDrop
          label="CSV file"
          title="Choose a file, or drop it here"
          hint={importCopy.fileHint}
          icon={<IconFileSpreadsheet size={32} aria-hidden="true" />}
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          onFile={read}
        />
        <form
          className={classes.paste}
          onSubmit={(event) => {
            event.preventDefault();
            void onText(pasted);
          }}
        >
          <Textarea
            label="Or paste rows"
            description={importCopy.pasteHint}
            rows={6}
            spellCheck={false}
            classNames={{ input: classes.cells }}
            value={pasted}
            onChange={({ currentTarget }) => setPasted(currentTarget.value)}
          />
          <Button type="submit" disabled={pasted.trim() === ''}>
            Preview
          </Button>
        </form>
      </Panel>
      <Panel
        title="Columns"
        actions={
          <Button
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden="true" />}
            onClick={() => void downloadTemplate()}
          >
            Template
          </Button>
        }
      >
        <p className={classes.hint}>In any order. Blank cells change nothing, and other columns are ignored.</p>
        <dl className={classes.columns}>
          {COLUMN_HELP.map(({ header, meaning, example }) => (
            <div key={header}>
              <dt>{header}</dt>
              <dd>
                {meaning} <code className={classes.example}>{example}</code>
              </dd>
            </div>
          ))}
        </dl>
      </Panel>
    </div>
  );
}
