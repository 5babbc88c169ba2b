/** Data of the home screen, from any source: the server at /home, sample data in the demo. */
import type { Loadable } from '#client/components/loaded.tsx';
import type { AircraftDto, AvailabilityWindowDto } from '#shared/schemas/availability.ts';
import type { NoticeDto } from '#shared/schemas/notices.ts';
import type { Send } from '#client/features/order/use-send.ts';
import type { Swaps } from '#client/features/order/use-swaps.ts';
import type { AcceptedMissionDto, FragOrderDto, StatusDto } from '#shared/schemas/pilot.ts';
import type { StatusState } from '#shared/vocabulary.ts';

export interface HomeStats {
  totalUsers: number;
  missionsRunning: number;
}

export interface HomeData {
  /** what became of orders that are over, newest first */
  notices: Loadable<NoticeDto[]>;
  /** put one away for good */
  closeNotice: (orderId: string) => void;
  /** pending orders only, newest first */
  inbox: Loadable<FragOrderDto[]>;
  /** the pending and the answered ones, of missions to come and of the last 30 days */
  history: Loadable<FragOrderDto[]>;
  /** accepted and not over yet, the next one first */
  accepted: Loadable<AcceptedMissionDto[]>;
  stats: Loadable<HomeStats>;
  window: Loadable<AvailabilityWindowDto>;
  /** for the names of slots that are not for any aircraft */
  aircraft: readonly AircraftDto[];
  status: Loadable<StatusDto>;
  /** @param minutes for `now` only, else null */
  setStatus: (state: StatusState, minutes: number | null) => void;
  send: Send;
  /** what pilots ask of each other; the demo has no others */
  swaps?: Swaps;
}
