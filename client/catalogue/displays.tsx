/** Catalogue entries for non-interactive parts of `components/`. */
import { Button } from '@mantine/core';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { DateMark } from '#client/components/date-mark.tsx';
import { Fact, Facts } from '#client/components/fact.tsx';
import { Loaded, type Loadable } from '#client/components/loaded.tsx';
import { Mark, type Shape } from '#client/components/marks.tsx';
import { PageError } from '#client/components/page-error.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Plot } from '#client/components/plot.tsx';
import { PendingMark } from '#client/components/pending-mark.tsx';
import { Placard } from '#client/components/placard.tsx';
import { EmptyState, ErrorState, LoadingState } from '#client/components/query-states.tsx';
import { RouteStepper } from '#client/components/route-stepper.tsx';
import { SaveConflict } from '#client/components/save-conflict.tsx';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { WizardButtons, WizardPage } from '#client/components/wizard-page.tsx';
import { LONG, noop, type Specimens } from './specimens.tsx';
import { wayOn } from '#shared/ways-on.ts';

interface Row {
  name: string;
  seats: number;
}

const COLUMNS: Column<Row>[] = [
  { id: 'name', header: 'Call sign', cell: ({ name }) => name, sortValue: ({ name }) => name, rowHeader: true },
  { id: 'seats', header: 'Seats', cell: ({ seats }) => seats, sortValue: ({ seats }) => seats, align: 'end' },
  { id: 'open', header: 'Actions', cell: () => <Button size="xs">Open</Button>, hideHeader: true },
];
const ROWS: Row[] = [
  { name: 'Viper', seats: 4 },
  { name: LONG, seats: 12 },
];

const SHAPES: Shape[] = ['circle', 'square', 'triangle', 'diamond', 'rectangle', 'cross', 'bar'];
const STEPS = ['1. Account', '2. Profile', '3. Preferences', '4. Status'];

/** A static query result. */
const query = (data: string | undefined, error: unknown): Loadable<string> => ({
  data,
  error,
  refetch: () => Promise.resolve(),
});
const shown = {
  loading: 'Loading pilots...',
  failure: 'Failed to load pilots',
  children: (text: string) => <p>{text}</p>,
};

export const DISPLAYS: Specimens = {
  'components/save-conflict': {
    week: (
      <SaveConflict
        sentence="Your week was saved somewhere else while this page was open."
        versions={[
          { label: 'Only in mine', words: 'Mon 18:00–22:00' },
          { label: 'Only in theirs', words: `Wed 19:00–21:30 (${LONG})` },
        ]}
        isSaving={false}
        onKeep={noop}
        onTake={noop}
      />
    ),
  },
  'components/data-table': {
    rows: <DataTable caption="Pilots" columns={COLUMNS} rows={ROWS} rowKey={({ name }) => name} empty={null} />,
    empty: (
      <DataTable
        caption="No pilots"
        columns={COLUMNS}
        rows={[]}
        rowKey={({ name }) => name}
        empty={<EmptyState title="No users found" />}
      />
    ),
  },
  'components/date-mark': {
    'day before, same day, next day': (
      <>
        0105Z
        <DateMark shift={-1} /> 0105Z
        <DateMark shift={0} /> 2305Z
        <DateMark shift={1} />
      </>
    ),
  },
  'components/fact': {
    facts: (
      <Facts>
        <Fact label="Flight" mono>
          Viper 1
        </Fact>
        <Fact label="Aircraft">F-16C Viper</Fact>
        <Fact label="Long text">{LONG}</Fact>
      </Facts>
    ),
  },
  'components/loaded': {
    loaded: <Loaded query={query('12 pilots', null)} {...shown} />,
    loading: <Loaded query={query(undefined, null)} {...shown} />,
    error: <Loaded query={query(undefined, new Error('API Error 502: Bad Gateway'))} {...shown} alwaysFailure />,
  },
  'components/marks': {
    outlines: SHAPES.map((shape) => <Mark key={shape} shape={shape} />),
    filled: SHAPES.map((shape) => <Mark key={shape} shape={shape} filled />),
  },
  'components/page-error': { error: <PageError error={new Error(LONG)} reset={noop} /> },
  'components/page-header': {
    plain: <PageHeader title="Users" />,
    'lead and actions': (
      <PageHeader title="Users" lead="Roles and passwords." actions={<Button variant="default">Audit Log</Button>} />
    ),
    'long text': <PageHeader title={LONG} lead={LONG} actions={<Button variant="default">Audit Log</Button>} />,
  },
  'components/panel': {
    plate: <Panel title="Inbox">Contents</Panel>,
    'with actions': (
      <Panel title="Inbox with actions" actions={<Button size="xs">Refresh</Button>}>
        Contents
      </Panel>
    ),
    'no plate': <Panel>Contents</Panel>,
    'no padding, long plate': (
      <Panel title={LONG} flush>
        Contents
      </Panel>
    ),
  },
  'components/plot': {
    line: (
      <Plot
        label="12 of 16 seats"
        levels={[0, 8, 16]}
        parts={[
          { from: 0, to: 50, card: 'First half' },
          { from: 50, to: 100, card: 'Second half' },
        ]}
        className={undefined}
      >
        <path d="M0 100L50 25H100" fill="none" stroke="var(--cyan-lamp)" strokeWidth="2" />
      </Plot>
    ),
  },
  'components/pending-mark': {
    one: <PendingMark count={1} />,
    many: <PendingMark count={128} />,
    'none shows nothing': <PendingMark count={0} />,
  },
  'components/placard': { plain: <Placard>Fairness</Placard>, 'long text': <Placard>{LONG}</Placard> },
  'components/query-states': {
    loading: <LoadingState text="Loading user availability..." rows={2} />,
    error: <ErrorState message="Failed to load" detail={LONG} onRetry={noop} />,
    'error without Retry': <ErrorState message="Failed to load" />,
    'error with a way on': (
      <ErrorState message="Mission not found" way={wayOn('MISSION_NOT_FOUND', 'pilot')} onRetry={noop} />
    ),
    empty: (
      <EmptyState title="No missions found" action={<Button>Create mission</Button>}>
        {LONG}
      </EmptyState>
    ),
  },
  'components/route-stepper': {
    start: <RouteStepper label="Progress, start" steps={STEPS} current={0} />,
    'on the way': <RouteStepper label="Progress" steps={STEPS} current={2} />,
    done: <RouteStepper label="Progress, done" steps={STEPS} current={4} />,
  },
  'components/visually-hidden': {
    'read, not seen': (
      <span>
        Between these brackets [<VisuallyHidden>hidden words</VisuallyHidden>] is text for screen readers only.
      </span>
    ),
  },
  'components/wizard-page': {
    'a step': (
      <WizardPage step={1} title="Profile" lead="Who you are.">
        <WizardButtons>
          <Button variant="default">Back</Button>
          <Button>Continue</Button>
        </WizardButtons>
      </WizardPage>
    ),
    wide: (
      <WizardPage step={2} title="Preferences" lead={LONG} wide>
        <WizardButtons>
          <Button>Continue</Button>
        </WizardButtons>
      </WizardPage>
    ),
  },
};
