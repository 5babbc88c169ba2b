import { Button } from '@mantine/core';
import {
  IconArmchair,
  IconCheck,
  IconCopy,
  IconCopyPlus,
  IconFileImport,
  IconFileTypeCsv,
  IconBookmark,
  IconPencil,
  IconPrinter,
  IconRepeat,
  IconX,
} from '@tabler/icons-react';
import { useState, type RefObject } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { rosterMessages } from '#client/features/missions/seats/roster.ts';
import { showToast } from '#client/lib/toast.ts';
import { useClipboard } from '#client/lib/use-clipboard.ts';
import type { MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { downloadRoster } from '#client/features/missions/seats/download-roster.ts';
import { workCopy } from '#client/features/missions/mission-text.ts';
import classes from './mission-actions.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

interface MissionActionsProps {
  mission: MissionDto;
  /** undefined while loading; needed for the CSV */
  orders: readonly MissionOrderDto[] | undefined;
  /** current orders by seat; undefined while loading */
  holders: ReadonlyMap<string, MissionOrderDto> | undefined;
  timeZone: string;
  /** null when the mission can no longer be edited */
  onEdit: (() => void) | null;
  editButton: RefObject<HTMLButtonElement | null>;
  onCancel: (() => void) | null;
  /** null when the mission is not a draft */
  onPublish: (() => void) | null;
  onSaveTemplate: () => void;
  /** null when the mission cannot become a series */
  onRepeat: (() => void) | null;
  onPrint: () => void;
  onFiles: () => void;
}

/** Action buttons of a mission: publish, edit, duplicate, roster, print, cancel. */
export function MissionActions({
  mission,
  orders,
  holders,
  timeZone,
  onEdit,
  editButton,
  onCancel,
  onPublish,
  onSaveTemplate,
  onRepeat,
  onPrint,
  onFiles,
}: MissionActionsProps) {
  const saveRoster = async (): Promise<void> => {
    try {
      await downloadRoster(mission, orders ?? [], timeZone);
    } catch {
      // The CSV writer is loaded on first use, which can fail.
      showToast(workCopy.rosterFailed, { signal: 'red' });
    }
  };
  return (
    <div className={classes.actions} role="group" aria-label={`Actions for ${mission.name}`}>
      {onPublish !== null && (
        <Button size="xs" className={classes.action} onClick={onPublish}>
          Publish
        </Button>
      )}
      {mission.status !== 'draft' && (
        <LinkButton
          to="/admin/missions/board/$missionId"
          params={{ missionId: mission.id }}
          variant="light"
          size="xs"
          className={classes.action}
          leftSection={<IconArmchair {...ICON} />}
          aria-label={`Seat board of ${mission.name}`}
        >
          Seat board
        </LinkButton>
      )}
      {onEdit !== null && (
        <Button
          ref={editButton}
          variant="default"
          size="xs"
          className={classes.action}
          leftSection={<IconPencil {...ICON} />}
          onClick={onEdit}
        >
          Edit
        </Button>
      )}
      <LinkButton
        to="/admin/missions"
        search={{ from: mission.id }}
        variant="subtle"
        color="gray"
        size="xs"
        className={classes.action}
        leftSection={<IconCopyPlus {...ICON} />}
      >
        Duplicate
      </LinkButton>
      {onRepeat !== null && (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          className={classes.action}
          leftSection={<IconRepeat {...ICON} />}
          aria-label={`Repeat ${mission.name}`}
          onClick={onRepeat}
        >
          Repeat…
        </Button>
      )}
      {!mission.isPractice && (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          className={classes.action}
          leftSection={<IconBookmark {...ICON} />}
          aria-label={`Save ${mission.name} as template`}
          onClick={onSaveTemplate}
        >
          Template
        </Button>
      )}
      <CopyRoster mission={mission} holders={holders} />
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        className={classes.action}
        disabled={orders === undefined}
        leftSection={<IconFileTypeCsv {...ICON} />}
        aria-label={`Download roster of ${mission.name} as CSV`}
        onClick={() => void saveRoster()}
      >
        CSV
      </Button>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        className={classes.action}
        leftSection={<IconPrinter {...ICON} />}
        aria-label={`Print roster of ${mission.name}`}
        onClick={onPrint}
      >
        Print
      </Button>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        className={classes.action}
        leftSection={<IconFileImport {...ICON} />}
        aria-label={`Files of ${mission.name}`}
        onClick={onFiles}
      >
        Files
      </Button>
      {onCancel !== null && (
        <Button
          variant="subtle"
          color="red"
          size="xs"
          className={classes.action}
          leftSection={<IconX {...ICON} />}
          onClick={onCancel}
        >
          {mission.isPractice ? 'Remove practice' : 'Cancel mission'}
        </Button>
      )}
    </div>
  );
}

/** Copies the roster for Discord; a roster longer than one message is copied part by part. */
function CopyRoster({ mission, holders }: Pick<MissionActionsProps, 'mission' | 'holders'>) {
  const { copied, copy } = useClipboard();
  const [next, setNext] = useState(0);
  const messages = rosterMessages(mission, holders ?? new Map());
  const part = next % messages.length;
  const parts = messages.length > 1 ? ` (${part + 1} of ${messages.length})` : '';
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      className={classes.action}
      disabled={holders === undefined}
      leftSection={<Icon {...ICON} />}
      aria-label={copied ? 'Roster copied' : `Copy roster of ${mission.name}${parts}`}
      onClick={() => {
        void copy(messages[part] ?? '').then((isCopied) => isCopied && setNext(part + 1));
      }}
    >
      {copied ? 'Roster copied' : `Copy roster${parts}`}
    </Button>
  );
}
