import { Link } from '@tanstack/react-router';
import { createContext, useContext, type ComponentType, type ReactNode } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';

/** Downloads of an accepted order and their URLs. */
type OrderFile = 'kneeboard-day' | 'kneeboard-night' | 'calendar';

const PATHS: Record<OrderFile, string> = {
  'kneeboard-day': 'kneeboard.png?scheme=day',
  'kneeboard-night': 'kneeboard.png?scheme=night',
  calendar: 'calendar.ics',
};

/** The URL of a file. */
function orderFileUrl(orderId: string, file: OrderFile): string {
  return `/api/v1/pilot/inbox/${orderId}/${PATHS[file]}`;
}

interface HomeLinkProps {
  className?: string | undefined;
  children: ReactNode;
}

interface ButtonLinkProps extends HomeLinkProps {
  /** `xs` next to a plate */
  size?: 'xs' | 'sm';
}

/** Links from the home screens to pages and files, which the demo replaces with its own. */
export interface HomeLinks {
  OrderLink: ComponentType<HomeLinkProps & { id: string }>;
  MissionLink: ComponentType<HomeLinkProps & { id: string }>;
  FileLink: ComponentType<HomeLinkProps & { id: string; file: OrderFile }>;
  HomeButton: ComponentType<ButtonLinkProps>;
  AvailabilityButton: ComponentType<ButtonLinkProps>;
}

const liveHomeLinks: HomeLinks = {
  OrderLink: ({ id, ...rest }) => <Link to="/orders/$orderId" params={{ orderId: id }} {...rest} />,
  MissionLink: ({ id, ...rest }) => <Link to="/missions/$missionId" params={{ missionId: id }} {...rest} />,
  FileLink: ({ id, file, children, ...rest }) => (
    <a href={orderFileUrl(id, file)} download {...rest}>
      {children}
    </a>
  ),
  HomeButton: (props) => <LinkButton to="/home" variant="light" {...props} />,
  AvailabilityButton: (props) => <LinkButton to="/availability" variant="light" {...props} />,
};

const HomeLinksContext = createContext(liveHomeLinks);

/** Replaces the links for the screens inside it. */
export const HomeLinksProvider = HomeLinksContext.Provider;

export const useHomeLinks = (): HomeLinks => useContext(HomeLinksContext);
