import { IconCalendarDown, IconDownload, IconPrinter } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Placard } from '#client/components/placard.tsx';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { useScriptFonts } from '#client/lib/script-fonts.ts';
import { fragLabel } from '#shared/labels.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import { useHomeLinks } from './home-links.tsx';
import { KneeboardSheet } from './kneeboard-sheet.tsx';
import classes from './order-files.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

interface OrderFilesProps {
  mission: AcceptedMissionDto;
  /** the page shows this mission only, so printing the page in any way prints the kneeboard card */
  ownsPage?: boolean;
}

/** Downloads of an accepted order: kneeboard images for day and night, the printed card, the calendar entry. */
export function OrderFiles({ mission, ownsPage = false }: OrderFilesProps) {
  const { FileLink } = useHomeLinks();
  const [isPrinting, setPrinting] = useState(false);
  const label = fragLabel(mission.seq);
  useScriptFonts(JSON.stringify(mission));

  useEffect(() => {
    const before = (): void => {
      if (ownsPage) {
        // The browser prints the page in its state when this returns.
        flushSync(() => setPrinting(true));
      }
    };
    const after = (): void => setPrinting(false);
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
    };
  }, [ownsPage]);

  const print = (): void => {
    flushSync(() => setPrinting(true));
    window.print();
  };

  return (
    <div className={classes.files} role="group" aria-label={`Downloads for ${label}`}>
      <Placard>Kneeboard</Placard>
      <FileLink id={mission.id} file="kneeboard-day" className={classes.file}>
        <IconDownload {...ICON} />
        <VisuallyHidden>Kneeboard </VisuallyHidden>Day
      </FileLink>
      <FileLink id={mission.id} file="kneeboard-night" className={classes.file}>
        <IconDownload {...ICON} />
        <VisuallyHidden>Kneeboard </VisuallyHidden>Night
      </FileLink>
      <button type="button" className={classes.file} onClick={print}>
        <IconPrinter {...ICON} />
        Print
      </button>
      <FileLink id={mission.id} file="calendar" className={classes.file}>
        <IconCalendarDown {...ICON} />
        Calendar .ics
      </FileLink>
      {isPrinting && <KneeboardSheet mission={mission} />}
    </div>
  );
}
