import { useRef, useState } from 'react';
import { errorCode } from '#client/lib/errors.ts';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { pointOut, showServerError, type FormHandle } from '#client/lib/form-errors.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { useMergeViewer, useSignedInViewer, type Viewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { profileForm } from '#shared/schemas/auth.ts';

type ProfileField = keyof typeof profileForm.shape;
export const PROFILE_FIELDS = Object.keys(profileForm.shape) as ProfileField[];
export type ProfileValues = Record<ProfileField, string>;
/** The part of the form that is used here. */
interface ProfileForm extends FormHandle {
  getValues(): ProfileValues;
  setValues(values: ProfileValues): void;
  setInitialValues(values: ProfileValues): void;
  resetDirty(values: ProfileValues): void;
}
type Stored = Pick<Viewer, ProfileField>;

const byField = <Value>(valueOf: (field: ProfileField) => Value) =>
  Object.fromEntries(PROFILE_FIELDS.map((field) => [field, valueOf(field)])) as Record<ProfileField, Value>;
const storedOf = (user: Stored) => byField((field) => user[field]) as Stored;
const valuesOf = (user: Stored): ProfileValues => byField((field) => user[field] ?? '');

/**
 * Saves the form of the profile. A value that was changed elsewhere is kept, unless this form changes it too:
 * then both versions stand in `conflict` until the pilot decides.
 * @param onSaved called after a save; @returns the sentence of a refusal of what follows it, or null
 */
export function useSaveProfile(form: ProfileForm, onSaved: () => Promise<string | null>) {
  const viewer = useSignedInViewer();
  const mergeViewer = useMergeViewer();
  const utils = trpc.useUtils();
  const update = trpc.pilot.updateProfile.useMutation();
  const [error, setError] = useState<Told>(null);
  const [theirs, setTheirs] = useState<ProfileValues | null>(null);
  /** the profile that the form changes */
  const seen = useRef(storedOf(viewer));

  const show = (values: ProfileValues): void => {
    form.setInitialValues(values);
    form.setValues(values);
    form.resetDirty(values);
  };

  /** Shows what was saved elsewhere in the fields that the pilot has not changed. */
  const rebase = async (): Promise<void> => {
    const stored = await utils.pilot.user.fetch({ id: viewer.id }, { staleTime: 0 });
    const [before, after, mine] = [valuesOf(seen.current), valuesOf(stored), form.getValues()];
    seen.current = storedOf(stored);
    mergeViewer(stored);
    show(after);
    form.setValues(byField((field) => (mine[field] === before[field] ? after[field] : mine[field])));
    setTheirs(after);
  };

  const save = async (values: ProfileValues): Promise<void> => {
    setError(null);
    try {
      const { looksLike, ...user } = await update.mutateAsync({ id: viewer.id, ...values, seen: seen.current });
      seen.current = storedOf(user);
      setTheirs(null);
      mergeViewer(user);
      show(valuesOf(user));
      pointOut(looksLike);
      // the availability window depends on the profile's zone
      await utils.availability.window.invalidate();
    } catch (cause) {
      if (errorCode(cause) !== 'CHANGED') setError(showServerError(form, cause, screenCopy.profileFailed));
      else await rebase().catch((failure: unknown) => setError(failureOf(failure, screenCopy.profileFailed)));
      return;
    }
    setError(await onSaved());
  };

  return {
    save,
    error,
    isSaving: update.isPending,
    /** what was saved elsewhere, and the way to take it */
    conflict: theirs && {
      theirs,
      take: () => {
        show(theirs);
        setTheirs(null);
      },
    },
  };
}
