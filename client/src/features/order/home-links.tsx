import { Link } from '@tanstack/react-router';
import { createContext, useContext, type ComponentType, type ReactNode } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { orderFileUrl, type OrderFile } from './order-file.ts';

interface DoorProps {
  className?: string | undefined;
  children: ReactNode;
}

interface ButtonDoorProps extends DoorProps {
  /** `xs` beside a plate */
  size?: 'xs' | 'sm';
}

/** What leads out of a home screen: real pages and files, or what the demo has in their place. */
export interface Doors {
  OrderLink: ComponentType<DoorProps & { id: string }>;
  FileLink: ComponentType<DoorProps & { id: string; file: OrderFile }>;
  HomeButton: ComponentType<ButtonDoorProps>;
  AvailabilityButton: ComponentType<ButtonDoorProps>;
}

const liveDoors: Doors = {
  OrderLink: ({ id, ...rest }) => <Link to="/orders/$orderId" params={{ orderId: id }} {...rest} />,
  FileLink: ({ id, file, children, ...rest }) => (
    <a href={orderFileUrl(id, file)} download {...rest}>
      {children}
    </a>
  ),
  HomeButton: (props) => <LinkButton to="/home" variant="light" {...props} />,
  AvailabilityButton: (props) => <LinkButton to="/availability" variant="light" {...props} />,
};

const DoorsContext = createContext(liveDoors);

/** Other doors for the screens inside. */
export const DoorsProvider = DoorsContext.Provider;

export const useDoors = (): Doors => useContext(DoorsContext);
