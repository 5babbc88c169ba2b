import { NativeSelect } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormNote } from '#client/components/form-error.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { missingAircraftSentence } from '#shared/labels.ts';
import type { MissionTemplateDto } from '#shared/schemas/mission-templates.ts';
import { MissionForm, type MissionFormProps } from './mission-form.tsx';
import { draftOfTemplate } from './mission-template.ts';
import classes from './template-form.module.css';

/** Choice of the template that fills in the form. The form asks before typed values are lost. */
export function TemplateChoice({ chosen, date }: { chosen: string | undefined; date: string | undefined }) {
  const navigate = useNavigate();
  const templates = trpc.admin.missionTemplates.list.useQuery();
  const itemsOf = (isStarter: boolean) =>
    (templates.data ?? [])
      .filter((one) => one.isStarter === isStarter)
      .map(({ id, name, theater, seats }) => ({ value: id, label: `${name} (${theater}, ${seats} seats)` }));
  const groups = [
    { group: 'Templates', items: itemsOf(false) },
    { group: 'Starters', items: itemsOf(true) },
  ].filter(({ items }) => items.length > 0);
  return (
    <div className={classes.choice}>
      <NativeSelect
        label="Start from a template"
        disabled={templates.data === undefined}
        data={[{ value: '', label: 'None' }, ...groups]}
        value={templates.data === undefined ? '' : (chosen ?? '')}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ to: '/admin/missions', search: { date, template: value === '' ? undefined : value } })
        }
      />
    </div>
  );
}

interface TemplateFormProps extends Pick<MissionFormProps, 'aircraft' | 'onCreated'> {
  /** id of the template */
  id: string;
  date: string | undefined;
}

/** Create form filled from a template. */
export function TemplateForm({ id, ...form }: TemplateFormProps) {
  // The form keeps its initial values, so they must not come from a stale cache.
  const template = trpc.admin.missionTemplates.get.useQuery({ id }, { staleTime: 0, gcTime: 0 });
  if (template.data === undefined || !template.isFetchedAfterMount) {
    return (
      <Panel>
        <Loaded
          query={{ data: undefined, error: template.error, refetch: template.refetch }}
          loading="Loading the template..."
          failure={copy.unknownError}
          rows={8}
        >
          {() => null}
        </Loaded>
        {template.error !== null && (
          <LinkButton to="/admin/missions" variant="default">
            Start with an empty form
          </LinkButton>
        )}
      </Panel>
    );
  }
  return <FilledForm template={template.data} {...form} />;
}

/** @param template initial state; later changes are ignored */
function FilledForm({ template, date, ...form }: Omit<TemplateFormProps, 'id'> & { template: MissionTemplateDto }) {
  const { timeZone } = useSignedInViewer();
  const [{ name, missing, draft }] = useState(() => ({
    name: template.name,
    missing: template.missingAircraft,
    draft: draftOfTemplate(template, date, timeZone, new Date()),
  }));
  return (
    <>
      <FormNote>
        Filled in from {name}.{missing.length > 0 && ` ${missingAircraftSentence(missing)}`}
      </FormNote>
      <MissionForm {...form} initial={draft} timeZone={timeZone} />
    </>
  );
}
