import { NativeSelect } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { IconButton } from '#client/components/icon-button.tsx';
import { Badge, StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { copy } from '#shared/copy.ts';
import { PROFICIENCY_LEVELS, type ProficiencyLevel } from '#shared/vocabulary.ts';
import type { AircraftRow as Row } from './aircraft-draft.ts';
import { LEVEL_MEANINGS, LEVEL_NAMES } from './aircraft-text.ts';
import classes from './aircraft-row.module.css';

const LEVELS = PROFICIENCY_LEVELS.map((level) => ({ value: level, label: LEVEL_NAMES[level] }));

interface AircraftRowProps {
  row: Row;
  /** an admin set the level, so the pilot cannot change it */
  isFixed: boolean;
  onLevel: (level: ProficiencyLevel) => void;
  onRemove: () => void;
}

/** Row of one aircraft with its level and the level's meaning. */
export function AircraftRow({ row, isFixed, onLevel, onRemove }: AircraftRowProps) {
  return (
    <li className={classes.row} data-aircraft={row.aircraftId}>
      <span className={classes.name}>
        <strong>{row.name}</strong>
        <span className={classes.code}>{row.code}</span>
        {row.setByAdmin && <Badge signal="cyan">set by an admin</Badge>}
      </span>
      {isFixed ? (
        <>
          <span className={classes.level}>
            <StatusBadge kind="level" value={row.level} />
          </span>
          <span className={classes.meaning}>{copy.levelSetByAdmin}</span>
        </>
      ) : (
        <>
          <NativeSelect
            aria-label={`Level in ${row.name}`}
            description={LEVEL_MEANINGS[row.level]}
            classNames={{ root: classes.select, wrapper: classes.level, description: classes.meaning }}
            data={LEVELS}
            value={row.level}
            onChange={({ currentTarget }) => {
              const level = PROFICIENCY_LEVELS.find((one) => one === currentTarget.value);
              if (level) {
                onLevel(level);
              }
            }}
          />
          <span className={classes.remove}>
            <IconButton label={`Remove ${row.name}`} onClick={onRemove}>
              <IconX size={18} aria-hidden="true" />
            </IconButton>
          </span>
        </>
      )}
    </li>
  );
}
