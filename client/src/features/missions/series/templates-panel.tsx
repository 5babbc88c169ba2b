import { TextInput } from '@mantine/core';
import { IconEdit, IconRepeat, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { ActionMenu, MenuItem } from '#client/components/action-menu.tsx';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Dialog, DialogForm } from '#client/components/dialog.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Panel } from '#client/components/panel.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { TemplateSummaryDto } from '#shared/schemas/mission-templates.ts';
import { seriesCopy } from './series-text.ts';
import classes from './series.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

type Asking = { kind: 'rename' | 'delete'; template: TemplateSummaryDto };

interface TemplatesPanelProps {
  /** false while the panel is not visible yet, when it cannot get the focus */
  isReady: boolean;
  onRepeat: (template: TemplateSummaryDto) => void;
}

/** Mission templates and starters: create from one, repeat one, rename, delete. */
export function TemplatesPanel({ isReady, onRepeat }: TemplatesPanelProps) {
  const utils = trpc.useUtils();
  const templates = trpc.admin.missionTemplates.list.useQuery();
  const [asking, setAsking] = useState<Asking | null>(null);
  const [error, setError] = useState<Told>(null);
  const [name, setName] = useState('');
  const settings = (sentence: string) => ({
    onSuccess: () => {
      void utils.admin.missionTemplates.invalidate();
      void utils.admin.audit.invalidate();
      showToast(sentence);
      setAsking(null);
    },
    onError: (cause: unknown) => setError(failureOf(cause, copy.unknownError)),
  });
  const rename = trpc.admin.missionTemplates.update.useMutation(settings(seriesCopy.templateRenamed));
  const remove = trpc.admin.missionTemplates.remove.useMutation(settings(seriesCopy.templateDeleted));
  const ask = (next: Asking): void => {
    setError(null);
    setName(next.template.name);
    setAsking(next);
  };
  const columns: Column<TemplateSummaryDto>[] = [
    { id: 'name', header: 'Name', rowHeader: true, cell: (one) => one.name },
    { id: 'theater', header: 'Theater', cell: ({ theater, seats }) => `${theater}, ${seats} seats` },
    {
      id: 'by',
      header: 'Saved',
      cell: ({ createdByName, updatedAt }) =>
        updatedAt === null ? (
          'Comes with Marshal'
        ) : (
          <>
            by {createdByName}, <ZTime iso={updatedAt} withDate copyable={false} />
          </>
        ),
    },
    {
      id: 'use',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (template) => (
        <span className={classes.use}>
          <LinkButton
            to="/admin/missions"
            search={{ template: template.id }}
            variant="light"
            size="xs"
            aria-label={`Create a mission from ${template.name}`}
          >
            Create mission
          </LinkButton>
          <ActionMenu label={`Actions for ${template.name}`}>
            <MenuItem leftSection={<IconRepeat {...ICON} />} onClick={() => onRepeat(template)}>
              Repeat
            </MenuItem>
            {!template.isStarter && (
              <>
                <MenuItem leftSection={<IconEdit {...ICON} />} onClick={() => ask({ kind: 'rename', template })}>
                  Rename
                </MenuItem>
                <MenuItem leftSection={<IconTrash {...ICON} />} onClick={() => ask({ kind: 'delete', template })}>
                  Delete
                </MenuItem>
              </>
            )}
          </ActionMenu>
        </span>
      ),
    },
  ];
  return (
    <Panel title="Templates" flush anchor={isReady ? 'templates' : undefined}>
      <Loaded
        query={templates}
        loading={seriesCopy.templatesLoading}
        failure={copy.unknownError}
        prefix={seriesCopy.templatesFailed}
        rows={3}
      >
        {(list) => (
          <DataTable caption="Mission templates" columns={columns} rows={list} rowKey={({ id }) => id} empty={null} />
        )}
      </Loaded>
      {asking?.kind === 'rename' && (
        <Dialog opened title={`Rename ${asking.template.name}`} onClose={() => setAsking(null)}>
          <DialogForm
            error={error}
            submit="Rename"
            isBusy={rename.isPending}
            onClose={() => setAsking(null)}
            onSubmit={(event) => {
              event.preventDefault();
              rename.mutate({ id: asking.template.id, name });
            }}
          >
            <div className={classes.form}>
              <TextInput
                label="Name of the template"
                autoComplete="off"
                value={name}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
              />
            </div>
          </DialogForm>
        </Dialog>
      )}
      {asking?.kind === 'delete' && (
        <ConfirmModal
          opened
          title={`Delete ${asking.template.name}?`}
          confirmLabel="Delete"
          signal="red"
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ id: asking.template.id })}
          onClose={() => setAsking(null)}
        >
          <FormError message={error} />
          <p>Missions and series that were made from it stay.</p>
        </ConfirmModal>
      )}
    </Panel>
  );
}
