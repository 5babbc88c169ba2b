import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useFastLinks } from '#client/lib/use-fast-links.ts';
import type { WayOn } from '#shared/ways-on.ts';
import classes from './query-states.module.css';

interface LoadingStateProps {
  /** the screen's own loading sentence */
  text: string;
  /** number of skeleton rows */
  rows?: number;
}

/** Loading state: a sentence and a skeleton that reserves the space. */
export function LoadingState({ text, rows = 3 }: LoadingStateProps) {
  return (
    <div className={classes.loading} data-unsettled>
      <output className={classes.sentence}>{text}</output>
      {Array.from({ length: rows }, (_row, index) => (
        <Skeleton key={index} height={20} radius="xs" />
      ))}
    </div>
  );
}

interface ErrorStateProps {
  message: string;
  /** additional detail on a second line */
  detail?: string | undefined;
  /** where the reason of the refusal is removed */
  way?: WayOn | null;
  onRetry?: () => void;
}

/** Error state of a failed load, with Retry and the link to where its reason is removed. */
export function ErrorState({ message, detail, way = null, onRetry }: ErrorStateProps) {
  const open = useFastLinks();
  return (
    <div className={classes.error} role="alert">
      <p className={classes.errorText}>
        <IconAlertTriangle size={20} aria-hidden="true" />
        <span>
          <span>{message}</span>
          {detail !== undefined && <span className={classes.detail}>{detail}</span>}
        </span>
      </p>
      <span className={classes.actions}>
        {onRetry !== undefined && (
          <Button variant="default" leftSection={<IconRefresh size={18} aria-hidden="true" />} onClick={onRetry}>
            Retry
          </Button>
        )}
        {way !== null && (
          <Button component="a" href={way.path} variant="default" onClick={open}>
            {way.label}
          </Button>
        )}
      </span>
    </div>
  );
}

interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  /** link or button for the next step */
  action?: ReactNode;
  /** Tabler icon, 40 px */
  icon?: ReactNode;
}

/** Empty state with one suggested next step. */
export function EmptyState({ title, children, action, icon }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      {icon !== undefined && (
        <span className={classes.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <p className={classes.emptyTitle}>{title}</p>
      {children !== undefined && <div className={classes.emptyText}>{children}</div>}
      {action}
    </div>
  );
}
