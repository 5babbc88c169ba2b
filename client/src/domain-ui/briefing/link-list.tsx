/** The links of a briefing with their kinds and hosts, so that readers see where each one leads. */
import { Placard } from '#client/components/placard.tsx';
import { byPlace } from '#client/lib/by-place.ts';
import { LINK_KIND_LABELS } from '#shared/mission-links.ts';
import type { MissionLink } from '#shared/schemas/mission-links.ts';
import { FACT_LABELS } from '#shared/order-facts.ts';
import { OutsideLink } from './outside-link.tsx';
import classes from './notes.module.css';

/** Empty without links. */
export function LinkList({ links }: { links: readonly MissionLink[] }) {
  return (
    links.length > 0 && (
      <div role="group" aria-label={FACT_LABELS.links}>
        <Placard>{FACT_LABELS.links}</Placard>
        <ul className={classes.links}>
          {byPlace(links, ({ kind, title, url }) => (
            <li>
              <OutsideLink url={url} className={classes.link}>
                {title}
              </OutsideLink>{' '}
              <span className={classes.kind}>
                {LINK_KIND_LABELS[kind]}, {new URL(url).host}
              </span>
            </li>
          ))}
        </ul>
      </div>
    )
  );
}
