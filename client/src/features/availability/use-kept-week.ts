/** The week that is kept on this device, for the form: it begins with it, and hears what becomes of it. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { dropKept, findWeek, useKept, type KeptWeek } from '#client/lib/kept.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import type { TemplateDto } from '#shared/schemas/availability.ts';
import { rowsOfSlots, rowsOfTemplate, type SlotRow } from './week.ts';

/** The stored week after a kept week was sent, or after it was refused because another one had been saved. */
export interface WeekNews {
  /** the stored week, and its rows */
  active: TemplateDto | undefined;
  rows: SlotRow[];
  isConflict: boolean;
}

/** @param readActive reads the stored week */
export function useKeptWeek(readActive: () => Promise<TemplateDto | undefined>): {
  kept: KeptWeek | undefined;
  keptRows: SlotRow[] | null;
  news: WeekNews | null;
  drop: () => void;
} {
  const { id } = useSignedInViewer();
  const kept = findWeek(useKept(id));
  const [news, setNews] = useState<WeekNews | null>(null);
  const before = useRef<KeptWeek | undefined>(undefined);
  const readNow = useRef(readActive);
  useEffect(() => {
    readNow.current = readActive;
  });
  useEffect(() => {
    const { current: last } = before;
    before.current = kept;
    const isConflict = kept?.isConflict ?? false;
    const isGone = last !== undefined && !last.isConflict && kept === undefined;
    if (!isConflict && !isGone) return;
    const read = async (): Promise<void> => {
      const active = await readNow.current();
      // It was taken back, or saved from this form.
      if (isGone && (active === undefined || active.version === last.version)) return;
      setNews({ active, rows: rowsOfTemplate(active), isConflict });
    };
    // without an answer the next save finds out
    void read().catch(() => undefined);
  }, [kept]);
  const slots = kept?.slots;
  const keptRows = useMemo(() => (slots ? rowsOfSlots(slots) : null), [slots]);
  return { kept, keptRows, news, drop: () => kept && dropKept(id, kept) };
}
