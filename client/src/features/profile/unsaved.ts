import { useCallback, useEffect, useMemo, useState } from 'react';

/** Tells the page whether the panel of that name holds changes that are not saved. */
export type ReportUnsaved = (panel: string, isUnsaved: boolean) => void;

/** Which panels of the page hold changes. */
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

/** For a panel: keep the page told; a panel that goes away has nothing unsaved. */
export function useReportUnsaved(report: ReportUnsaved, panel: string, isUnsaved: boolean): void {
  useEffect(() => {
    report(panel, isUnsaved);
    return () => report(panel, false);
  }, [report, panel, isUnsaved]);
}
