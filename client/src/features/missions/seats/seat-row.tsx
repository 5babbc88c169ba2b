import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconReplace, IconUserMinus, IconUserPlus, type TablerIcon } from '@tabler/icons-react';
import { Avatar } from '#client/domain-ui/avatar.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { seatLabel } from '#shared/labels.ts';
import type { MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import { orderWords } from './order-groups.ts';
import { WhyPilot } from './why-pilot.tsx';
import { seatName } from '#client/features/missions/mission-text.ts';
import classes from './seat-row.module.css';

export interface SeatHolder {
  userId: string;
  userDisplayName: string;
  /** undefined while the orders load */
  order: MissionOrderDto | undefined;
}

interface SeatRowProps {
  callsign: string;
  /** id for finding the row in the page */
  seatId: string;
  seatIndex: number;
  holder: SeatHolder | undefined;
  /** label of an empty seat; pending seats are unknown while the orders load */
  emptyWord: string;
  /** undefined when the seat cannot be changed */
  onAssign: (() => void) | undefined;
  onRemove: (() => void) | undefined;
  now: Date;
}

/** Row of a seat: holder, state of the order, and actions. */
export function SeatRow({ callsign, seatId, seatIndex, holder, emptyWord, onAssign, onRemove, now }: SeatRowProps) {
  const place = seatName(callsign, seatIndex);
  return (
    <li className={classes.seat} data-seat={seatId} data-taken={holder !== undefined || undefined}>
      <span aria-hidden="true" className={classes.mark} data-pending={holder?.order?.rsvp === 'pending' || undefined}>
        {holder === undefined ? '▯' : '▮'}
      </span>
      <span className={classes.number}>{seatLabel(seatIndex)}</span>
      {holder === undefined ? (
        <>
          <span className={classes.who}>{emptyWord}</span>
          {onAssign !== undefined && (
            <SeatAction Icon={IconUserPlus} label={`Assign pilot to ${place}`} onClick={onAssign}>
              Assign pilot
            </SeatAction>
          )}
        </>
      ) : (
        <>
          <span className={classes.who}>
            <Avatar name={holder.userDisplayName} />{' '}
            <Link to="/admin/users/$userId/availability" params={{ userId: holder.userId }} className={classes.pilot}>
              {holder.userDisplayName}
            </Link>{' '}
            {holder.order !== undefined && <HolderState order={holder.order} now={now} />}{' '}
            {holder.order !== undefined && <WhyPilot name={holder.userDisplayName} reasons={holder.order.reasons} />}
          </span>
          <span className={classes.tools}>
            {onAssign !== undefined && (
              <SeatAction
                Icon={IconReplace}
                color="gray"
                label={`Replace ${holder.userDisplayName} on ${place}`}
                onClick={onAssign}
              >
                Replace
              </SeatAction>
            )}
            {onRemove !== undefined && (
              <SeatAction
                Icon={IconUserMinus}
                color="gray"
                label={`Remove ${holder.userDisplayName} from ${place}`}
                onClick={onRemove}
              >
                Remove
              </SeatAction>
            )}
          </span>
        </>
      )}
    </li>
  );
}

interface SeatActionProps {
  Icon: TablerIcon;
  /** accessible name, which names the seat */
  label: string;
  color?: 'gray';
  onClick: () => void;
  children: string;
}

function SeatAction({ Icon, label, color, onClick, children }: SeatActionProps) {
  return (
    <Button
      variant="subtle"
      color={color}
      size="xs"
      className={classes.action}
      leftSection={<Icon size={18} aria-hidden="true" />}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}

function HolderState({ order, now }: { order: MissionOrderDto; now: Date }) {
  return order.rsvp === 'pending' ? (
    <span className={classes.state}>
      <Badge signal="yellow">pending</Badge> {orderWords(order, now)}
    </span>
  ) : (
    <Badge signal="green">{orderWords(order, now)}</Badge>
  );
}
