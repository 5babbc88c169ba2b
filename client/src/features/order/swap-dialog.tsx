import { Button } from '@mantine/core';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { failureOf } from '#client/lib/failure.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { placeName } from '#shared/labels.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import type { SwapPartnerDto } from '#shared/schemas/seats.ts';
import { seatCopy, swapWarnings } from './seat-text.ts';
import classes from './swap-dialog.module.css';

interface SwapDialogProps {
  order: AcceptedMissionDto;
  onClose: () => void;
}

/** Dialog to request a swap: lists pilots in the mission who could take this seat, and whose seats its pilot could take. */
export function SwapDialog({ order, onClose }: SwapDialogProps) {
  const utils = trpc.useUtils();
  const partners = trpc.pilot.swaps.partners.useQuery({ id: order.id }, { staleTime: 0, gcTime: 0 });
  const propose = trpc.pilot.swaps.propose.useMutation({
    onSuccess: (swap) => {
      utils.pilot.swaps.list.setData(undefined, (swaps) => [swap, ...(swaps ?? [])]);
      showToast(`Asked ${swap.pilotName} to swap seats`);
      onClose();
    },
    onSettled: () => utils.pilot.swaps.invalidate(),
  });
  return (
    <Dialog opened title="Swap seats" onClose={onClose}>
      <p className={classes.mine}>
        You hold <strong>{placeName(order)}</strong> ({order.aircraftName}, {order.role}). {seatCopy.untilAgreed}
      </p>
      <FormError message={propose.error && failureOf(propose.error, seatCopy.proposeFailed)} />
      <Loaded
        query={partners}
        loading={seatCopy.loadingPartners}
        failure={seatCopy.partnersFailed}
        alwaysFailure
        rows={3}
      >
        {(found) =>
          found.length === 0 ? (
            <EmptyState title={seatCopy.noPartners}>{seatCopy.whoIsPartner}</EmptyState>
          ) : (
            <ul className={classes.partners}>
              {found.map((partner) => (
                <Partner
                  key={partner.orderId}
                  partner={partner}
                  warnings={swapWarnings(order, partner, partner.isListed)}
                  busy={propose.isPending}
                  isAsked={propose.isPending && propose.variables.withOrderId === partner.orderId}
                  onAsk={() => propose.mutate({ id: order.id, withOrderId: partner.orderId })}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

interface PartnerProps {
  partner: SwapPartnerDto;
  /** sentences about the partner's seat */
  warnings: readonly string[];
  /** a request is being sent */
  busy: boolean;
  /** the request is to this pilot */
  isAsked: boolean;
  onAsk: () => void;
}

function Partner({ partner, warnings, busy, isAsked, onAsk }: PartnerProps) {
  const { pilotName, aircraftName, role, side } = partner;
  return (
    <li className={classes.partner}>
      <div className={classes.who}>
        <span className={classes.name}>{pilotName}</span>
        <span className={classes.seat}>
          {placeName(partner)} · {aircraftName}, {role}
        </span>
        <SideFlag side={side} />
        {warnings.length > 0 && <span className={classes.warning}>{warnings.join(' ')}</span>}
      </div>
      <Button
        variant="light"
        className={classes.ask}
        aria-label={`Ask ${pilotName}, ${placeName(partner)}`}
        loading={isAsked}
        disabled={busy && !isAsked}
        onClick={onAsk}
      >
        Ask
      </Button>
    </li>
  );
}
