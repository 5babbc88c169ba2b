import { Suspense, type ReactNode } from 'react';
import { LoadingState } from '#client/components/query-states.tsx';
import type { Loadable } from '#client/components/loaded.tsx';
import { LazyThread } from '#client/domain-ui/thread/thread-panel.tsx';
import { TabBar, type Tab } from '#client/domain-ui/tab-bar.tsx';
import { workCopy } from '#client/features/missions/mission-text.ts';
import { groupOf } from '#client/features/missions/seats/order-groups.ts';
import { OrdersPanel } from '#client/features/missions/seats/orders-panel.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import type { MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import type { MissionTab } from './mission-link.ts';
import { MissionLog } from './mission-log.tsx';
import classes from './mission-tabs.module.css';

const IneligibleList = lazyPart(
  () => import('#client/features/missions/seats/ineligible-list.tsx'),
  (part) => part.IneligibleList,
);

interface MissionTabsProps {
  mission: MissionDto;
  orders: Loadable<MissionOrderDto[]>;
  timeZone: string;
  now: Date;
  /** the packages with their seats; null while the mission is being edited */
  roster: ReactNode;
  tab: MissionTab;
  onTab: (tab: MissionTab) => void;
}

/** A mission's parts in tabs: roster, orders, pilots without a seat, thread, log. */
export function MissionTabs({ mission, orders, timeZone, now, roster, tab, onTab }: MissionTabsProps) {
  const isAhead = mission.status === 'scheduled' || mission.status === 'launched';
  const live = orders.data?.filter((order) => groupOf(order, now) !== 'closed').length;
  const tabs: Tab<MissionTab>[] = [
    ...(roster === null ? [] : [{ value: 'roster' as const, label: 'Roster', panel: () => roster }]),
    ...(mission.status === 'draft'
      ? []
      : [
          {
            value: 'orders' as const,
            label: (
              <>
                Orders
                {live !== undefined && <span className={classes.count}>{live}</span>}
              </>
            ),
            panel: () => <OrdersPanel missionName={mission.name} orders={orders} timeZone={timeZone} now={now} />,
          },
        ]),
    ...(isAhead
      ? [
          {
            value: 'unseated' as const,
            label: 'Not seated',
            panel: () => (
              <Suspense fallback={<LoadingState text={workCopy.loadingIneligible} />}>
                <IneligibleList missionId={mission.id} missionName={mission.name} />
              </Suspense>
            ),
          },
        ]
      : []),
    ...(mission.status === 'draft'
      ? []
      : [
          {
            value: 'thread' as const,
            label: 'Thread',
            panel: () => (
              <div className={classes.thread}>
                <LazyThread missionId={mission.id} />
              </div>
            ),
          },
        ]),
    { value: 'log', label: 'Log', panel: () => <MissionLog missionId={mission.id} timeZone={timeZone} /> },
  ];
  return (
    <div className={classes.tabs}>
      <TabBar
        label={`Parts of ${mission.name}`}
        tabs={tabs}
        value={tabs.find(({ value }) => value === tab)?.value ?? tabs[0]?.value ?? 'log'}
        onChange={onTab}
      />
    </div>
  );
}
