/** Checkbox for the secret sides of a mission, which are secret by default while both sides have seats. */
import { Choice } from '#client/components/choice.tsx';
import { hasSecretSides } from '#shared/secret-sides.ts';
import type { Side } from '#shared/vocabulary.ts';

interface SecretSidesFieldProps {
  /** null for the default */
  secretSides: boolean | null;
  /** of all seats, each side any number of times */
  sides: readonly Side[];
  onChange: (secretSides: boolean | null) => void;
  className?: string | undefined;
}

export function SecretSidesField({ secretSides, sides, onChange, className }: SecretSidesFieldProps) {
  const count = new Set(sides).size;
  const isSecret = hasSecretSides({ secretSides, sides: count });
  const byDefault = hasSecretSides({ secretSides: null, sides: count });
  return (
    <div className={className}>
      <Choice
        label="Secret sides"
        meaning={
          isSecret
            ? 'Pilots see their own side only. Members without a seat, and Discord, see how many seats are open but no names.'
            : 'All members, and Discord, see who flies where. Frequencies, flight notes and links need a seat or a place on standby.'
        }
        checked={isSecret}
        onChange={(isOn) => onChange(isOn === byDefault ? null : isOn)}
      />
    </div>
  );
}
