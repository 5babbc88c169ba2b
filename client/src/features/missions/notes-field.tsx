/** Text area for notes in Markdown, with a preview of what pilots will read. */
import { Button, Textarea } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { Notes } from '#client/domain-ui/briefing/notes.tsx';
import classes from './briefing-fields.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

interface NotesFieldProps {
  label: string;
  rows: number;
  value: string;
  error: ReactNode;
  onChange: (value: string) => void;
  className?: string | undefined;
  'data-path'?: string;
}

export function NotesField({ label, rows, value, error, onChange, className, ...place }: NotesFieldProps) {
  const [isShown, setShown] = useState(false);
  const id = useId();
  return (
    <div className={`${classes.field} ${className ?? ''}`}>
      <Textarea
        label={label}
        rows={rows}
        resize="vertical"
        value={value}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        {...place}
      />
      {(value.trim() !== '' || isShown) && (
        <div className={classes.tools}>
          <Button
            variant="subtle"
            size="xs"
            leftSection={isShown ? <IconEyeOff {...ICON} /> : <IconEye {...ICON} />}
            aria-expanded={isShown}
            aria-controls={id}
            aria-label={`${isShown ? 'Hide' : 'Show'} preview of ${label.toLowerCase()}`}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? 'Hide preview' : 'Preview'}
          </Button>
          <span className={classes.hint}>**bold**, *italic*, - list, [title](https://…)</span>
        </div>
      )}
      <div
        id={id}
        hidden={!isShown}
        role="region"
        aria-label={`Preview of ${label.toLowerCase()}`}
        className={classes.preview}
      >
        {isShown && <Notes texts={[value]} />}
      </div>
    </div>
  );
}
