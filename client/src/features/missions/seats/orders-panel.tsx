import { Link } from '@tanstack/react-router';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Loaded, type Loadable } from '#client/components/loaded.tsx';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { copy } from '#shared/copy.ts';
import type { MissionOrderDto, OrderReminderDto } from '#shared/schemas/mission-admin.ts';
import { groupOrders, ORDER_GROUPS, orderWords, type OrderGroup } from './order-groups.ts';
import { reminderWords } from './reminder-words.ts';
import { WhyPilot } from './why-pilot.tsx';
import { seatName, workCopy } from '#client/features/missions/mission-text.ts';
import classes from './orders-panel.module.css';

interface OrdersPanelProps {
  missionName: string;
  orders: Loadable<MissionOrderDto[]>;
  timeZone: string;
  now: Date;
}

/** A mission's orders by state. */
export function OrdersPanel({ missionName, orders, timeZone, now }: OrdersPanelProps) {
  return (
    <div className={classes.body}>
      <Loaded
        query={orders}
        loading={workCopy.loadingOrders}
        failure={copy.unknownError}
        prefix={workCopy.ordersFailed}
      >
        {(list) =>
          list.length === 0 ? (
            <p className={classes.none}>No frag orders have gone out for this mission.</p>
          ) : (
            <Groups missionName={missionName} orders={list} timeZone={timeZone} now={now} />
          )
        }
      </Loaded>
    </div>
  );
}

interface GroupsProps {
  missionName: string;
  orders: readonly MissionOrderDto[];
  timeZone: string;
  now: Date;
}

function Groups({ missionName, orders, timeZone, now }: GroupsProps) {
  const groups = groupOrders(orders, now);
  return ORDER_GROUPS.map(
    ({ group, title }) =>
      groups[group].length > 0 && (
        <section key={group} className={classes.group} data-group={group}>
          <h4 className={classes.groupTitle}>
            {title} <span className={classes.number}>{groups[group].length}</span>
            {group === 'accepted' && <Confirmed orders={groups.accepted} />}
          </h4>
          <DataTable
            columns={columnsOf(group, timeZone, now)}
            rows={groups[group]}
            rowKey={({ id }) => id}
            caption={`${title} orders of ${missionName}`}
            empty={null}
          />
        </section>
      ),
  );
}

const STATE_HEADERS: Record<OrderGroup, string> = {
  accepted: 'State',
  pending: 'Expires',
  standby: 'Queue',
  declined: 'Notice',
  closed: 'Reason',
};

/** Columns of a group. Pending and closed orders show the time of issue, the others the time of the answer. */
function columnsOf(group: OrderGroup, timeZone: string, now: Date): Column<MissionOrderDto>[] {
  return [
    {
      id: 'order',
      header: 'Order',
      cell: ({ label, status }) => (
        <span className={classes.order}>
          <span className={classes.label}>{label}</span>
          <StatusBadge kind="order" value={status} />
        </span>
      ),
      sortValue: ({ seq }) => seq,
    },
    {
      id: 'pilot',
      header: 'Pilot',
      rowHeader: true,
      cell: ({ userId, userDisplayName }) => (
        <Link to="/admin/users/$userId/availability" params={{ userId }} className={classes.pilot}>
          {userDisplayName}
        </Link>
      ),
      sortValue: ({ userDisplayName }) => userDisplayName.toLowerCase(),
    },
    {
      id: 'seat',
      header: group === 'standby' ? 'Offered seat' : 'Seat',
      cell: ({ flightCallsign, seatIndex }) => seatName(flightCallsign, seatIndex),
      sortValue: ({ flightCallsign, seatIndex }) => seatName(flightCallsign, seatIndex),
    },
    {
      id: 'state',
      header: STATE_HEADERS[group],
      cell: (order) => <State order={order} now={now} />,
      ...(group === 'standby' && {
        sortValue: ({ standbyPosition }: MissionOrderDto) => standbyPosition ?? null,
      }),
      ...(group === 'pending' && { sortValue: ({ expiresAt }: MissionOrderDto) => expiresAt }),
    },
    {
      id: 'time',
      header: group === 'pending' || group === 'closed' ? 'Issued' : 'Answered',
      cell: ({ issuedAt, answeredAt }) => (
        <ZTime
          iso={group === 'pending' || group === 'closed' ? issuedAt : (answeredAt ?? issuedAt)}
          timeZone={timeZone}
          withDate
          copyable={false}
        />
      ),
      sortValue: ({ issuedAt, answeredAt }) => answeredAt ?? issuedAt,
    },
  ];
}

function State({ order, now }: { order: MissionOrderDto; now: Date }) {
  return (
    <span className={classes.state}>
      <span>{orderWords(order, now)}</span>
      {order.isOpenOffer && order.rsvp === 'pending' && (
        <span className={classes.extra}>shared offer: first to accept gets it</span>
      )}
      {order.changes.map(({ field, from, to }) => (
        <span key={field} className={classes.extra}>
          {field}: {from ?? 'none'} → {to ?? 'none'}
        </span>
      ))}
      {order.reminders.map((reminder) => (
        <Reminded key={reminder.leadMinutes} reminder={reminder} />
      ))}
      <WhyPilot name={order.userDisplayName} reasons={order.reasons} />
    </span>
  );
}

/** `2 confirmed`, once the pilots have been asked or one has confirmed. */
function Confirmed({ orders }: { orders: readonly MissionOrderDto[] }) {
  const confirmed = orders.filter(({ confirmedAt }) => confirmedAt !== null).length;
  const isAsked = confirmed > 0 || orders.some(({ reminders }) => reminders.length > 0);
  return isAsked && <span className={classes.confirmed}>{confirmed} confirmed</span>;
}

/** A reminder, and why it did not arrive. */
function Reminded({ reminder }: { reminder: OrderReminderDto }) {
  const words = reminderWords(reminder);
  return words && <span className={words.isProblem ? classes.problem : classes.extra}>{words.text}</span>;
}
