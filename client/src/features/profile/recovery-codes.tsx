import { Button } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useClipboard } from '#client/lib/use-clipboard.ts';
import { twoStepCopy } from './two-step-text.ts';
import classes from './two-step.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** New recovery codes, shown once, to copy or download. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { copied, copy } = useClipboard();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => list.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <p className={classes.said}>{twoStepCopy.saveCodes}</p>
      <ol ref={list} tabIndex={-1} className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={classes.keep}>
        <Button
          variant="default"
          leftSection={copied ? <IconCheck {...ICON} /> : <IconCopy {...ICON} />}
          onClick={() => void copy(text)}
        >
          {copied ? 'Copied' : 'Copy all'}
        </Button>
        <Button
          component="a"
          variant="default"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="marshal-recovery-codes.txt"
          leftSection={<IconDownload {...ICON} />}
        >
          Download
        </Button>
      </div>
    </>
  );
}
