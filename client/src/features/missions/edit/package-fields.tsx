import { TextInput } from '@mantine/core';
import type { PackageDraft } from './mission-edit.ts';
import type { EditErrors } from './use-edit-draft.ts';
import classes from './package-fields.module.css';

interface PackageFieldsProps {
  packages: readonly PackageDraft[];
  errors: EditErrors;
  onChange: (id: string, change: Partial<PackageDraft>) => void;
}

/** The callsign and objective of each package. */
export function PackageFields({ packages, errors, onChange }: PackageFieldsProps) {
  return (
    <div className={classes.packages}>
      {packages.map(({ id, callsign, objective, storedObjective }, index) => (
        <div key={id} className={classes.package} role="group" aria-label={`Package ${index + 1}`}>
          <TextInput
            label="Package"
            className={classes.callsign}
            autoComplete="off"
            value={callsign}
            error={errors[`${id}.callsign`]}
            onChange={({ currentTarget }) => onChange(id, { callsign: currentTarget.value })}
          />
          <TextInput
            label="Objective"
            className={classes.objective}
            autoComplete="off"
            placeholder={storedObjective}
            value={objective}
            error={errors[`${id}.objective`]}
            onChange={({ currentTarget }) => onChange(id, { objective: currentTarget.value })}
          />
        </div>
      ))}
    </div>
  );
}
