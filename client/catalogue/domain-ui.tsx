/** Catalogue entries for `domain-ui/`. The catalogue itself uses the app shell, which shows the shell's parts. */
import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { ACCOUNT_MENU_ID } from '#client/domain-ui/account-menu.tsx';
import { Avatar } from '#client/domain-ui/avatar.tsx';
import { BotNotice, BotNotices, BotDisconnected } from '#client/domain-ui/bot-notice.tsx';
import { CrewList } from '#client/domain-ui/crew-list.tsx';
import { CredentialsFields } from '#client/domain-ui/credentials-fields.tsx';
import { AdminRail } from '#client/domain-ui/admin-rail.tsx';
import { MainLinks, SearchButton } from '#client/domain-ui/crew-bars.tsx';
import { GuildIcon } from '#client/domain-ui/guild-icon.tsx';
import { CallSignField, TimeZoneField } from '#client/domain-ui/identity-fields.tsx';
import { InviteLink } from '#client/domain-ui/invite-link.tsx';
import { ProfileConflict } from '#client/domain-ui/profile-conflict.tsx';
import type { AircraftRow as AircraftListRow } from '#client/domain-ui/aircraft-list/aircraft-draft.ts';
import { AircraftList } from '#client/domain-ui/aircraft-list/aircraft-list.tsx';
import { AircraftPicker } from '#client/domain-ui/aircraft-list/aircraft-picker.tsx';
import { AircraftRow } from '#client/domain-ui/aircraft-list/aircraft-row.tsx';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { KeptNotice } from '#client/domain-ui/kept-notice.tsx';
import { NotSent, Refusal } from '#client/domain-ui/not-sent.tsx';
import { NavDisplay } from '#client/domain-ui/nav-display.tsx';
import { SampleOrder } from '#client/domain-ui/sample-order.tsx';
import { SessionCheck } from '#client/domain-ui/session-check.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { LeavingNotice } from '#client/domain-ui/leaving-notice.tsx';
import { NewSignInNotice } from '#client/domain-ui/new-sign-in-notice.tsx';
import { SignOutNotice } from '#client/domain-ui/sign-out-notice.tsx';
import { MissionStrip } from '#client/domain-ui/mission-strip.tsx';
import { TrackRecordView } from '#client/domain-ui/track-record-view.tsx';
import { Badge, StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { TabBar } from '#client/domain-ui/tab-bar.tsx';
import { Term } from '#client/domain-ui/term.tsx';
import { Definition } from '#client/domain-ui/term-definition.tsx';
import { ZoneQuestion } from '#client/domain-ui/zone-question.tsx';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { ZuluClock } from '#client/domain-ui/zulu-clock.tsx';
import type { Viewer } from '#client/lib/session.ts';
import { SIGNALS } from '#client/theme/tokens.ts';
import {
  GUILD_STATUSES,
  MISSION_OUTCOMES,
  MISSION_STATUSES,
  ORDER_STATUSES,
  PROFICIENCY_LEVELS,
  RSVPS,
  SIDES,
} from '#shared/vocabulary.ts';
import { EVENING } from './evening.tsx';
import { LONG, noop, Opened, Stateful, type Specimens } from './specimens.tsx';
import { THREAD } from './thread.tsx';

/** Viewer of the catalogue. Not a pilot, because the shell would fetch a pilot's orders. */
export const VIEWER: Viewer = {
  id: '00000000-0000-4000-8000-000000000000',
  email: 'goose@example.org',
  displayName: 'Goose',
  timeZone: 'Europe/Berlin',
  roles: ['admin'],
  approval: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  listsAircraft: true,
  needsSecondFactor: false,
  newSignIn: null,
  leave: null,
};

const BOT = {
  isConfigured: true,
  state: 'offline',
  hasMembersIntent: true,
  botName: 'Marshal',
  installUrl: null,
} as const;

const TRACK_RECORD = {
  reliability: 0.86,
  attended: 12,
  noShows: 1,
  excused: 2,
  lateCancels: 1,
  debt: 0.7,
  isNew: false,
};

const OUTCOMES_SINCE = Date.parse('2026-08-25T12:00:00Z');
const SEEN = {
  minutes: 74,
  otherMinutes: 0,
  firstSeenAt: '2026-08-25T17:55:00.000Z',
  lastSeenAt: '2026-08-25T19:09:00.000Z',
  tookOffAt: '2026-08-25T18:05:00.000Z',
  landedAt: '2026-08-25T19:02:00.000Z',
  aircraft: ['F-16C_50'],
  names: ['[VF-1] Goose'],
  sources: ['tacview' as const],
};
const OUTCOMES = {
  sinceUtc: new Date(OUTCOMES_SINCE).toISOString(),
  outcomes: MISSION_OUTCOMES.map((outcome, index) => ({
    orderId: outcome,
    missionId: outcome,
    missionName: 'Op Iron Hound',
    startUtc: new Date(OUTCOMES_SINCE + index * 11 * 86_400_000).toISOString(),
    outcome,
    evidence: outcome === 'flown' ? SEEN : null,
  })),
};

const TABS = (['Roster', 'Channels', 'Recent Events'] as const).map((value) => ({
  value,
  label: value,
  panel: () => <p>{value}</p>,
}));

function Credentials() {
  const form = useForm({
    initialValues: { email: 'goose@', password: '', confirmPassword: 'other' },
    initialErrors: { email: 'Invalid email address', confirmPassword: 'Passwords do not match' },
  });
  return <CredentialsFields form={form} />;
}

const aircraft = (id: number, code: string, name: string, pilots: number): AircraftDto => ({
  id,
  code,
  name,
  seats: 1,
  roles: ['CAP'],
  active: true,
  pilots,
});
const AIRCRAFT = [
  aircraft(1, 'FA-18C_hornet', 'F/A-18C Hornet', 12),
  aircraft(2, 'F-16C_50', 'F-16C Viper', 9),
  aircraft(3, 'A-10C_2', 'A-10C II Warthog', 0),
];
const ROWS: readonly AircraftListRow[] = [
  { aircraftId: 2, code: 'F-16C_50', name: 'F-16C Viper', level: 'proficient', setByAdmin: true },
  { aircraftId: 3, code: 'A-10C_2', name: 'A-10C II Warthog', level: 'basic', setByAdmin: false },
];

function EditedList({ initial }: { initial: readonly AircraftListRow[] }) {
  return (
    <Stateful initial={initial}>
      {(rows, change) => (
        <AircraftList
          rows={rows}
          catalogue={AIRCRAFT}
          isAdmin={false}
          onSet={(aircraftId, level) => {
            const known = AIRCRAFT.find(({ id }) => id === aircraftId);
            const rest = rows.filter((row) => row.aircraftId !== aircraftId);
            const row = known && level && { aircraftId, code: known.code, name: known.name, level, setByAdmin: false };
            change(row ? [...rest, row] : rest);
          }}
        />
      )}
    </Stateful>
  );
}

export const DOMAIN_UI: Specimens = {
  'domain-ui/account-menu': {
    'opens below the name in the header': (
      <Button variant="default" popoverTarget={ACCOUNT_MENU_ID}>
        Open
      </Button>
    ),
  },
  'domain-ui/aircraft-list/aircraft-list': {
    empty: <EditedList initial={[]} />,
    'one of them set by an admin': <EditedList initial={ROWS} />,
  },
  'domain-ui/aircraft-list/aircraft-picker': {
    search: <AircraftPicker catalogue={AIRCRAFT} listed={new Set([2])} onPick={noop} />,
  },
  'domain-ui/aircraft-list/aircraft-row': {
    level: (
      <ul>
        {ROWS.map((row) => (
          <AircraftRow key={row.aircraftId} row={row} isFixed={row.setByAdmin} onLevel={noop} onRemove={noop} />
        ))}
      </ul>
    ),
  },
  'domain-ui/app-shell': { 'around this page': <p>Header, skip link, and on a phone the bar at the bottom.</p> },
  'domain-ui/bot-notice': {
    offline: (
      <BotNotices>
        <BotDisconnected bot={{ ...BOT, since: '2026-11-22T19:05:00.000Z', problem: LONG }}>
          Commands do not work.
        </BotDisconnected>
      </BotNotices>
    ),
    'never connected': (
      <BotNotices>
        <BotDisconnected bot={{ ...BOT, since: null, problem: null }} />
      </BotNotices>
    ),
    'something else': (
      <BotNotices>
        <BotNotice icon={<IconPlugConnectedX size={20} aria-hidden="true" />} what="Not configured.">
          {LONG}
        </BotNotice>
      </BotNotices>
    ),
  },
  'domain-ui/credentials-fields': { error: <Credentials /> },
  'domain-ui/crew-bars': {
    'in the header': (
      <>
        <MainLinks viewer={VIEWER} isAsking={false} />
        <SearchButton />
      </>
    ),
  },
  'domain-ui/admin-rail': { 'button or column, by the width of the window': <AdminRail viewer={VIEWER} /> },
  'domain-ui/guild-icon': {
    initial: <GuildIcon guild={{ name: 'Lantern Wing', iconUrl: null }} />,
    picture: <GuildIcon guild={{ name: 'Marshal', iconUrl: '/icon.svg' }} size={64} />,
    'picture that does not load': <GuildIcon guild={{ name: 'Broken', iconUrl: 'data:image/png,' }} />,
  },
  'domain-ui/invite-link': {
    link: <InviteLink url="https://marshal.example/join/xgy9w5j5cp21" description="Share it with your pilots." />,
  },
  'domain-ui/profile-conflict': {
    both: (
      <ProfileConflict
        mine={{ displayName: LONG, timeZone: 'Europe/Berlin' }}
        theirs={{ displayName: 'Goose', timeZone: 'Asia/Tokyo' }}
        isSaving={false}
        onKeep={noop}
        onTake={noop}
      />
    ),
  },
  'domain-ui/identity-fields': {
    fields: (
      <Stateful initial="Europe/Berlin">
        {(zone, change) => (
          <>
            <CallSignField defaultValue={LONG} />
            <TimeZoneField
              value={zone}
              current="Asia/Kathmandu"
              onDetected={change}
              onChange={({ currentTarget }) => change(currentTarget.value)}
            />
          </>
        )}
      </Stateful>
    ),
    error: <CallSignField error="Call sign is required" />,
    disabled: <TimeZoneField value="UTC" current="UTC" onDetected={noop} disabled />,
  },
  'domain-ui/zone-question': {
    'the question': <Opened label="Ask">{(close) => <ZoneQuestion opened onAnswer={close} onClose={close} />}</Opened>,
  },
  'domain-ui/nav-display': { still: <NavDisplay /> },
  'domain-ui/avatar': {
    'every kind of name': (
      <>
        {['Maverick', 'Night Owl', 'élan_vital', '[VF-1] Goose', '7', 'ß', '🦅', '---'].map((name) => (
          <p key={name}>
            <Avatar name={name} /> {name}
          </p>
        ))}
      </>
    ),
  },
  'domain-ui/crew-list': {
    'own seat': <CrewList callsign="Viper 1" pilots={['Maverick', null, LONG, 'Jester']} ownSeat={0} />,
    'another flight': <CrewList callsign="Viper 2" pilots={[null, 'Goose']} />,
  },
  'domain-ui/sample-order': { card: <SampleOrder /> },
  'domain-ui/offline-banner': {
    'under the header': <p>Appears when the browser is offline or the server does not answer.</p>,
  },
  'domain-ui/not-sent': {
    waiting: (
      <NotSent signal="yellow" action={{ label: 'Take back', onClick: noop }}>
        <strong>Waiting for network.</strong> Your answer, Accepted, is sent when you&apos;re back online.
      </NotSent>
    ),
    refused: (
      <NotSent signal="red" action={{ label: 'Dismiss', onClick: noop }}>
        <Refusal sentence={LONG} way={{ id: 'otherSeats', label: 'See open seats', path: '/missions' }} />
      </NotSent>
    ),
  },
  'domain-ui/kept-notice': { 'shown for what was refused, and for a week that waits': <KeptNotice trouble={null} /> },
  'domain-ui/session-check': { loading: <SessionCheck /> },
  'domain-ui/side-flag': { blue: <SideFlag side={SIDES.blue} />, red: <SideFlag side={SIDES.red} /> },
  'domain-ui/leaving-notice': { 'shown while the account is about to be deleted': <LeavingNotice /> },
  'domain-ui/new-sign-in-notice': { 'shown after a sign-in from a new device': <NewSignInNotice /> },
  'domain-ui/sign-out-notice': { 'shown after a Logout that did not reach the server': <SignOutNotice /> },
  'domain-ui/track-record-view': {
    'to the pilot': <TrackRecordView trackRecord={TRACK_RECORD} reader="pilot" />,
    'new, to an admin': <TrackRecordView trackRecord={{ ...TRACK_RECORD, isNew: true, debt: -2 }} reader="admin" />,
  },
  'domain-ui/mission-strip': {
    'every outcome': <MissionStrip history={OUTCOMES} timeZone="Europe/Berlin" />,
    'no missions yet': <MissionStrip history={{ ...OUTCOMES, outcomes: [] }} timeZone="Europe/Berlin" />,
  },
  'domain-ui/status-badge': {
    mission: MISSION_STATUSES.map((value) => <StatusBadge key={value} kind="mission" value={value} />),
    rsvp: RSVPS.map((value) => <StatusBadge key={value} kind="rsvp" value={value} />),
    order: ORDER_STATUSES.map((value) => <StatusBadge key={value} kind="order" value={value} />),
    guild: GUILD_STATUSES.map((value) => <StatusBadge key={value} kind="guild" value={value} />),
    level: PROFICIENCY_LEVELS.map((value) => <StatusBadge key={value} kind="level" value={value} />),
    badges: SIGNALS.map((signal) => (
      <Badge key={signal} signal={signal}>
        {signal}
      </Badge>
    )),
  },
  'domain-ui/tab-bar': {
    tabs: (
      <Stateful<(typeof TABS)[number]['value']> initial="Roster">
        {(value, change) => <TabBar label="Server" tabs={TABS} value={value} onChange={change} />}
      </Stateful>
    ),
    loose: (
      <Stateful<(typeof TABS)[number]['value']> initial="Channels">
        {(value, change) => <TabBar label="Server, loose" tabs={TABS} value={value} onChange={change} loose />}
      </Stateful>
    ),
  },
  'domain-ui/term': {
    'in a label': <Term word="tot" />,
    'in a sentence': (
      <p>
        New <Term word="fragOrder">frag orders</Term> show up here.
      </p>
    ),
  },
  'domain-ui/term-definition': {
    open: (
      <p style={{ position: 'relative', marginTop: 96 }}>
        <Definition id="definition" name="Standby" meaning="you wait in line for a seat." />
        standby
      </p>
    ),
  },
  ...EVENING,
  ...THREAD,
  'domain-ui/z-span': {
    'same day': <ZSpan start="2026-11-20T18:00:00Z" end="2026-11-20T21:00:00Z" timeZone="Europe/Berlin" />,
    'past midnight': <ZSpan start="2026-11-20T22:00:00Z" end="2026-11-21T01:00:00Z" timeZone="Australia/Sydney" />,
    'in UTC': <ZSpan start="2026-11-20T22:00:00Z" end="2026-11-21T01:00:00Z" timeZone="UTC" />,
  },
  'domain-ui/z-time': {
    plain: <ZTime iso="2026-11-20T19:05:00Z" />,
    'with date, next day': <ZTime iso="2026-11-20T23:05:00Z" timeZone="Australia/Sydney" withDate />,
    'without copy': <ZTime iso="2026-11-20T19:05:00Z" copyable={false} />,
  },
  'domain-ui/zulu-clock': { now: <ZuluClock /> },
};
