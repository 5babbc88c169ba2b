import { isAdmin, useSignedInViewer } from '#client/lib/session.ts';
import { useThread } from '#client/lib/use-thread.ts';
import { ThreadView } from './thread-view.tsx';

/** The thread of a mission, for the pilot or admin who is signed in. */
export function MissionThread({ missionId }: { missionId: string }) {
  return <ThreadView {...useThread(missionId)} isAdmin={isAdmin(useSignedInViewer())} />;
}
