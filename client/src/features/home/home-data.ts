/** Data of the home screen: from the server on /home, sample data in the demo. */
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
  /** notices, newest first */
  notices: Loadable<NoticeDto[]>;
  /** dismisses a notice permanently */
  closeNotice: (orderId: string) => void;
  /** pending orders, newest first */
  inbox: Loadable<FragOrderDto[]>;
  /** pending and answered orders of upcoming missions and of the last 30 days */
  history: Loadable<FragOrderDto[]>;
  /** accepted missions that are not over, soonest first */
  accepted: Loadable<AcceptedMissionDto[]>;
  stats: Loadable<HomeStats>;
  window: Loadable<AvailabilityWindowDto>;
  /** names of the aircraft in slots */
  aircraft: readonly AircraftDto[];
  status: Loadable<StatusDto>;
  /** @param minutes length of Find Flight; null for the other states */
  setStatus: (state: StatusState, minutes: number | null) => void;
  send: Send;
  /** seat swaps; the demo has none */
  swaps?: Swaps;
}
