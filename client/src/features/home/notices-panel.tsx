import { Button } from '@mantine/core';
import {
  IconBan,
  IconClipboardCheck,
  IconClockOff,
  IconPlaneDeparture,
  IconUserMinus,
  type Icon,
} from '@tabler/icons-react';
import type { RefObject } from 'react';
import type { Loadable } from '#client/components/loaded.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { formatDuration } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import type { Signal } from '#client/theme/tokens.ts';
import type { NoticeDto } from '#shared/schemas/notices.ts';
import type { NoticeKind } from '#shared/vocabulary.ts';
import { homeCopy } from './home-text.ts';
import { QuietPanel } from './quiet-panel.tsx';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';
import classes from './notices-panel.module.css';

/** Icon, colour, and the word before the age. */
const LOOKS: Record<NoticeKind, readonly [Icon, Signal, string]> = {
  cancelled: [IconBan, 'red', 'cancelled'],
  removed: [IconUserMinus, 'red', 'removed'],
  expired: [IconClockOff, 'yellow', 'expired'],
  seated: [IconPlaneDeparture, 'green', 'seated'],
  attendance: [IconClipboardCheck, 'cyan', 'ended'],
};

interface NoticesPanelProps {
  /** newest first */
  notices: Loadable<NoticeDto[]>;
  onClose: (orderId: string) => void;
  /** gets the focus when the last notice and the panel are gone */
  after: RefObject<HTMLElement | null>;
}

/** Panel of notices about orders that ended and seats assigned from standby; hidden when empty. */
export function NoticesPanel({ notices, onClose, after }: NoticesPanelProps) {
  const { ref, onFocus } = useFocusAfterRemoval(notices.data?.map(({ orderId }) => orderId) ?? [], after);
  return (
    <QuietPanel title="Notices" query={notices} loading={homeCopy.loadingNotices} failure={homeCopy.noticesFailed}>
      {(shown) => (
        <div ref={ref} onFocus={onFocus}>
          {shown.map((notice) => (
            <NoticeRow key={notice.orderId} notice={notice} onClose={onClose} />
          ))}
        </div>
      )}
    </QuietPanel>
  );
}

function NoticeRow({ notice, onClose }: { notice: NoticeDto; onClose: (orderId: string) => void }) {
  const now = useNow();
  const { orderId, kind, at, missionName, startUtc, sentence } = notice;
  const [KindIcon, signal, what] = LOOKS[kind];
  return (
    <article
      tabIndex={-1}
      aria-label={`Notice of ${missionName}`}
      data-order={orderId}
      className={classes.row}
      style={{ borderInlineStartColor: `var(--${signal}-lamp)` }}
    >
      <KindIcon size={20} aria-hidden="true" style={{ color: `var(--${signal}-text)` }} />
      <div className={classes.words}>
        <p className={classes.sentence}>{sentence}</p>
        <p className={classes.times}>
          Start <ZTime iso={startUtc} withDate copyable={false} /> · {what}{' '}
          {formatDuration(now.getTime() - Date.parse(at))} ago
        </p>
      </div>
      <Button
        variant="default"
        className={classes.button}
        aria-label={`Got it: ${missionName}`}
        onClick={() => onClose(orderId)}
      >
        Got it
      </Button>
    </article>
  );
}
