import { SaveConflict } from '#client/components/save-conflict.tsx';
import { PROFILE_FIELDS, type ProfileValues } from './use-save-profile.ts';

interface ProfileConflictProps {
  mine: ProfileValues;
  theirs: ProfileValues;
  isSaving: boolean;
  onKeep: () => void;
  onTake: () => void;
}

/** The choice between two versions of the profile; only what differs is named. */
export function ProfileConflict({ mine, theirs, ...choice }: ProfileConflictProps) {
  const different = PROFILE_FIELDS.filter((field) => mine[field] !== theirs[field]);
  const words = (profile: ProfileValues): string => different.map((field) => profile[field]).join(', ');
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
