import { Button, TextInput } from '@mantine/core';
import { IconPlaneInflight, IconPlus, IconSearch } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { Segmented } from '#client/components/segmented.tsx';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { AircraftTypeDto } from '#shared/schemas/aircraft.ts';
import { count } from '#shared/plural.ts';
import { AircraftDialog } from './aircraft-dialog.tsx';
import type { AircraftSearch } from './aircraft-search.ts';
import { AircraftTable } from './aircraft-table.tsx';
import { aircraftCopy, filterTypes } from './aircraft-text.ts';
import classes from './aircraft.module.css';

/** The dialog that is open. */
type Asking =
  | { kind: 'add' }
  | { kind: 'edit' | 'delete'; type: AircraftTypeDto }
  | { kind: 'switchOff'; ids: readonly number[] };

const SEGMENTS = [
  { value: 'all', label: 'All' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
  { value: 'own', label: 'Own' },
] as const;

/** /admin/aircraft: the types that are offered, and the community's own. */
export function AircraftPage() {
  const search = useSearch({ from: '/_signed-in/admin/aircraft' });
  const navigate = useNavigate({ from: '/admin/aircraft' });
  const utils = trpc.useUtils();
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = (): void => setAsking(null);
  const types = trpc.admin.aircraft.list.useQuery(undefined, { staleTime: 0 });
  const onError = (cause: unknown): void => {
    showFailure(cause, copy.unknownError);
    close();
  };
  const offer = trpc.admin.aircraft.offer.useMutation({
    onSuccess: (list) => {
      utils.admin.aircraft.list.setData(undefined, list);
      void utils.availability.aircraft.invalidate();
      void utils.admin.audit.invalidate();
      close();
    },
    onError,
  });
  const remove = trpc.admin.aircraft.remove.useMutation({
    onSuccess: async () => {
      void utils.availability.aircraft.invalidate();
      void utils.admin.audit.invalidate();
      await utils.admin.aircraft.invalidate();
      if (asking?.kind === 'delete') showToast(aircraftCopy.deleted(asking.type.name));
      close();
    },
    onError,
  });
  const change = (part: AircraftSearch): void =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true, resetScroll: false });
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setAsking({ kind: 'add' })}>
      Add Aircraft
    </Button>
  );
  const switching = new Set(offer.isPending ? offer.variables.ids.map(Number) : []);
  return (
    <>
      <PageHeader title="Aircraft" lead={aircraftCopy.lead} actions={add} />
      <Panel flush>
        <div className={classes.bar} role="search" aria-label="Aircraft">
          <TextInput
            type="search"
            label="Search"
            placeholder="Name or code"
            autoComplete="off"
            spellCheck={false}
            leftSection={<IconSearch size={18} aria-hidden="true" />}
            value={search.query ?? ''}
            onChange={({ currentTarget }) => change({ query: currentTarget.value || undefined })}
          />
          <Segmented
            label="Show"
            segments={SEGMENTS}
            value={search.show ?? 'all'}
            onChange={(show) => change({ show: show === 'all' ? undefined : show })}
          />
        </div>
        <Loaded
          query={types}
          loading={aircraftCopy.loading}
          failure={copy.unknownError}
          prefix={aircraftCopy.loadFailed}
          rows={12}
        >
          {(list) => {
            const shown = filterTypes(list, search);
            const idsThatAre = (active: boolean) => shown.flatMap((type) => (type.active === active ? [type.id] : []));
            const [on, off] = [idsThatAre(true), idsThatAre(false)];
            return (
              <>
                <div className={classes.sum}>
                  <span>
                    {count(shown.length, 'type')}, {on.length} offered
                  </span>
                  <Button
                    variant="default"
                    disabled={on.length === 0}
                    onClick={() => setAsking({ kind: 'switchOff', ids: on })}
                  >
                    Switch all off
                  </Button>
                  <Button
                    variant="default"
                    disabled={off.length === 0}
                    onClick={() => offer.mutate({ ids: off, active: true })}
                  >
                    Switch all on
                  </Button>
                </div>
                <AircraftTable
                  types={shown}
                  switching={switching}
                  onSwitch={({ id }, active) => offer.mutate({ ids: [id], active })}
                  onTask={(kind, type) => setAsking({ kind, type })}
                  empty={
                    <EmptyState icon={<IconPlaneInflight size={40} />} title={aircraftCopy.noMatch}>
                      {aircraftCopy.noMatchMeaning}
                    </EmptyState>
                  }
                />
              </>
            );
          }}
        </Loaded>
      </Panel>
      {(asking?.kind === 'add' || asking?.kind === 'edit') && (
        <AircraftDialog type={asking.kind === 'edit' ? asking.type : null} onClose={close} />
      )}
      {asking?.kind === 'switchOff' && (
        <ConfirmModal
          opened
          title={`Switch off ${count(asking.ids.length, 'type')}?`}
          confirmLabel="Switch off"
          busy={offer.isPending}
          onConfirm={() => offer.mutate({ ids: [...asking.ids], active: false })}
          onClose={close}
        >
          {aircraftCopy.keeps}
        </ConfirmModal>
      )}
      {asking?.kind === 'delete' && (
        <ConfirmModal
          opened
          title={`Delete ${asking.type.name}?`}
          confirmLabel="Delete"
          signal="red"
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ id: asking.type.id })}
          onClose={close}
        >
          A type that a mission or a pilot uses can only be switched off.
        </ConfirmModal>
      )}
    </>
  );
}
