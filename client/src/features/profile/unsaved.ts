import { useCallback, useEffect, useMemo, useState } from 'react';

/** Reports if a panel has unsaved changes. */
export type ReportUnsaved = (panel: string, isUnsaved: boolean) => void;

/** Names of the panels with unsaved changes. */
export function useUnsavedPanels(): { panels: ReadonlySet<string>; report: ReportUnsaved } {
  const [panels, setPanels] = useState<ReadonlySet<string>>(new Set());
  const report = useCallback<ReportUnsaved>((panel, isUnsaved) => {
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

/** Reports a panel's unsaved changes to the page; an unmounted panel has none. */
export function useReportUnsaved(report: ReportUnsaved, panel: string, isUnsaved: boolean): void {
  useEffect(() => {
    report(panel, isUnsaved);
    return () => report(panel, false);
  }, [report, panel, isUnsaved]);
}
