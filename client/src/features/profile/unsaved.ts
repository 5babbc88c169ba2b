import { createContext, useCallback, useContext, useEffect, useMemo, useState } from 'react';

type Report = (panel: string, isUnsaved: boolean) => void;

/** The section that the panels report their unsaved changes to. */
export const ReportUnsaved = createContext<Report>(() => undefined);

/** Names of the panels with unsaved changes. */
export function useUnsavedPanels(): { panels: ReadonlySet<string>; report: Report } {
  const [panels, setPanels] = useState<ReadonlySet<string>>(new Set());
  const report = useCallback<Report>((panel, isUnsaved) => {
    setPanels((known) => {
      if (known.has(panel) === isUnsaved) {
        return known;
      }
      const next = new Set(known);
      if (isUnsaved) {
        next.add(panel);
      } else {
        next.delete(panel);
      }
      return next;
    });
  }, []);
  return useMemo(() => ({ panels, report }), [panels, report]);
}

/** Reports a panel's unsaved changes to its section; an unmounted panel has none. */
export function useReportUnsaved(panel: string, isUnsaved: boolean): void {
  const report = useContext(ReportUnsaved);
  useEffect(() => {
    report(panel, isUnsaved);
    return () => report(panel, false);
  }, [report, panel, isUnsaved]);
}
