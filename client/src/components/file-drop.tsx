import { useState, type ReactNode } from 'react';
import classes from './file-drop.module.css';

interface FileDropProps {
  /** accessible name of the field */
  label: string;
  /** what is shown, such as "Choose a file, or drop it here" */
  title: string;
  hint: ReactNode;
  icon: ReactNode;
  /** file types that the browser offers, such as `.csv,text/csv` */
  accept: string;
  disabled?: boolean;
  onFile: (file: File) => void;
}

/** A file to choose or drop. The browser's own field covers the area, so keys and phones work as usual. */
export function FileDrop({ label, title, hint, icon, accept, disabled, onFile }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  return (
    <label className={classes.drop} data-over={isOver || undefined} data-disabled={disabled || undefined}>
      {icon}
      <span className={classes.title}>{title}</span>
      <span className={classes.hint}>{hint}</span>
      <input
        type="file"
        aria-label={label}
        accept={accept}
        disabled={disabled}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) onFile(file);
          // the same file can be chosen again after it was mended
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
