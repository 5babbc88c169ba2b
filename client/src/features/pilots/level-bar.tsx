import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { PROFICIENCY_LEVELS, type ProficiencyLevel } from '#shared/vocabulary.ts';
import classes from './level-bar.module.css';

/** Proficiency level as bars and a word: `▮▮▮▯ proficient`. */
export function LevelBar({ level }: { level: ProficiencyLevel }) {
  const filled = PROFICIENCY_LEVELS.indexOf(level) + 1;
  return (
    <span className={classes.level}>
      <span className={classes.bars} aria-hidden="true">
        {PROFICIENCY_LEVELS.map((one, index) => (
          <span key={one} className={classes.bar} data-filled={index < filled || undefined} />
        ))}
      </span>
      <StatusBadge kind="level" value={level} />
    </span>
  );
}
