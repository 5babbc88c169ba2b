import { Fact, Facts } from '#client/components/fact.tsx';
import { Loaded, type Loadable } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import type { HomeStats } from './home-data.ts';
import { homeCopy } from './home-text.ts';
import classes from './stats-panel.module.css';

const count = new Intl.NumberFormat('en-US');

/** Panel of server statistics: users and running missions. */
export function StatsPanel({ stats }: { stats: Loadable<HomeStats> }) {
  return (
    <Panel title="Server Statistics">
      <Loaded query={stats} loading={homeCopy.loadingStats} failure={homeCopy.statsFailed} alwaysFailure rows={2}>
        {({ totalUsers, missionsRunning }) => (
          <div className={classes.numbers}>
            <Facts>
              <Fact label="Total users" mono>
                {count.format(totalUsers)}
              </Fact>
              <Fact label="Missions running" mono>
                {count.format(missionsRunning)}
              </Fact>
            </Facts>
          </div>
        )}
      </Loaded>
    </Panel>
  );
}
