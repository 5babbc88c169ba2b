import { SaveConflict } from '#client/components/save-conflict.tsx';
import type { ProfileValues } from './use-save-profile.ts';

interface ProfileConflictProps {
  mine: ProfileValues;
  theirs: ProfileValues;
  isSaving: boolean;
  onKeep: () => void;
  onTake: () => void;
}

/** The choice between two versions of call sign and time zone; only what differs is named. */
export function ProfileConflict({ mine, theirs, ...choice }: ProfileConflictProps) {
  const words = (profile: ProfileValues): string =>
    [
      ...(mine.displayName === theirs.displayName ? [] : [profile.displayName]),
      ...(mine.timeZone === theirs.timeZone ? [] : [profile.timeZone]),
    ].join(', ');
  return (
    <SaveConflict
      sentence="Your profile was saved somewhere else while this page was open."
      versions={[
        { label: 'Mine', words: words(mine) || 'the same' },
        { label: 'Theirs', words: words(theirs) || 'the same' },
      ]}
      {...choice}
    />
  );
}
