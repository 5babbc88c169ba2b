import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { LinkButton } from '#client/components/link-button.tsx';
import { formatCalendarDate } from '#client/lib/time.ts';
import { addDays } from '#client/lib/wall-time.ts';

/** Links to the previous and next day, and to today when it is not one of the three. */
export function DayStepper({ date, today }: { date: string; today: string }) {
  const before = addDays(date, -1);
  const after = addDays(date, 1);
  return (
    <>
      <DayLink date={before} label="Previous day" />
      {![before, date, after].includes(today) && (
        <LinkButton to="/admin/missions/$date" params={{ date: today }} variant="subtle">
          Today
        </LinkButton>
      )}
      <DayLink date={after} label="Next day" />
    </>
  );
}

function DayLink({ date, label }: { date: string; label: 'Previous day' | 'Next day' }) {
  const isNext = label === 'Next day';
  const Icon = isNext ? IconChevronRight : IconChevronLeft;
  const icon = <Icon size={18} aria-hidden="true" />;
  return (
    <LinkButton
      to="/admin/missions/$date"
      params={{ date }}
      variant="default"
      aria-label={`${label}, ${formatCalendarDate(date)}`}
      leftSection={isNext ? undefined : icon}
      rightSection={isNext ? icon : undefined}
    >
      {formatCalendarDate(date)}
    </LinkButton>
  );
}
