import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogForm } from '#client/components/dialog.tsx';
import { keyed, newKey, onceClient } from '#client/lib/idempotent-client.ts';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { trpc, trpcClient } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { workCopy } from '#client/features/missions/mission-text.ts';
import classes from './save-template.module.css';

interface SaveTemplateProps {
  mission: { id: string; name: string };
  /** called with a sentence about the result */
  onDone: (said: string) => void;
  onClose: () => void;
}

/** Dialog that keeps a mission as a new template, or in place of an existing one. */
export function SaveTemplate({ mission, onDone, onClose }: SaveTemplateProps) {
  const utils = trpc.useUtils();
  const [name, setName] = useState(mission.name);
  const [over, setOver] = useState('');
  const [key] = useState(newKey);
  const [error, setError] = useState<Told>(null);
  const [isBusy, setBusy] = useState(false);
  const list = trpc.admin.missionTemplates.list.useQuery();
  const own = (list.data ?? []).filter(({ isStarter }) => !isStarter);
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      if (over !== '') await trpcClient.admin.missionTemplates.update.mutate({ id: over, missionId: mission.id });
      else await onceClient.admin.missionTemplates.create.mutate({ name, missionId: mission.id }, keyed(key));
      void utils.admin.missionTemplates.invalidate();
      void utils.admin.audit.invalidate();
      onDone(over === '' ? workCopy.templateSaved(name.trim()) : workCopy.templateOverwritten);
    } catch (cause) {
      setError(failureOf(cause, copy.unknownError));
      setBusy(false);
    }
  };
  return (
    <Dialog opened title="Save as template" onClose={onClose}>
      <DialogForm
        error={error}
        submit="Save"
        isBusy={isBusy}
        onClose={onClose}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className={classes.fields}>
          <p className={classes.text}>{workCopy.templateMeaning}</p>
          {own.length > 0 && (
            <NativeSelect
              label="Save"
              data={[
                { value: '', label: 'As a new template' },
                ...own.map((one) => ({ value: one.id, label: `Over ${one.name}` })),
              ]}
              value={over}
              onChange={({ currentTarget }) => setOver(currentTarget.value)}
            />
          )}
          {over === '' && (
            <TextInput
              label="Name of the template"
              required
              autoComplete="off"
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </div>
      </DialogForm>
    </Dialog>
  );
}
