/** The links of a mission's briefing: a row for each, and a button that adds one. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useRef, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { byPlace } from '#client/lib/by-place.ts';
import { MISSION_LINKS_MAX } from '#shared/limits.ts';
import { LINK_KIND_LABELS, LINK_KINDS } from '#shared/mission-links.ts';
import type { MissionLink } from '#shared/schemas/mission-links.ts';
import { CHANGES } from '#shared/mission-fields.ts';
import classes from './briefing-fields.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
const KINDS = LINK_KINDS.map((kind) => ({ value: kind, label: LINK_KIND_LABELS[kind] }));

interface LinksFieldProps {
  links: readonly MissionLink[];
  /** messages by place: `links.0.url` */
  errors: Readonly<Record<string, ReactNode>>;
  onChange: (links: MissionLink[]) => void;
  className?: string | undefined;
}

export function LinksField({ links, errors, onChange, className }: LinksFieldProps) {
  const rows = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const change = (index: number, values: Partial<MissionLink>): void =>
    onChange(links.map((link, at) => (at === index ? { ...link, ...values } : link)));
  const errorOf = (index: number, field: keyof MissionLink) => errors[`links.${index}.${field}`];
  return (
    <div role="group" aria-label={CHANGES.links.words} className={`${classes.field} ${className ?? ''}`}>
      <div ref={rows} className={classes.rows}>
        {byPlace(links, (link, index) => (
          <div role="group" aria-label={`Link ${index + 1}`} className={classes.row}>
            <NativeSelect
              label="Kind"
              data={KINDS}
              value={link.kind}
              onChange={({ currentTarget }) => {
                const kind = LINK_KINDS.find((one) => one === currentTarget.value);
                if (kind !== undefined) change(index, { kind });
              }}
            />
            <TextInput
              label="Title"
              autoComplete="off"
              value={link.title}
              error={errorOf(index, 'title')}
              data-path={`links.${index}.title`}
              onChange={({ currentTarget }) => change(index, { title: currentTarget.value })}
            />
            <TextInput
              label="Address"
              type="url"
              inputMode="url"
              autoComplete="off"
              placeholder="https://"
              value={link.url}
              error={errorOf(index, 'url')}
              data-path={`links.${index}.url`}
              onChange={({ currentTarget }) => change(index, { url: currentTarget.value })}
            />
            <Button
              variant="subtle"
              color="gray"
              className={classes.remove}
              leftSection={<IconX {...ICON} />}
              aria-label={`Remove link ${index + 1}`}
              onClick={() => {
                onChange(links.filter((_link, at) => at !== index));
                addButton.current?.focus();
              }}
            >
              Remove
            </Button>
          </div>
        ))}
      </div>
      {errors['links'] !== undefined && <p className={classes.error}>{errors['links']}</p>}
      {links.length < MISSION_LINKS_MAX && (
        <Button
          ref={addButton}
          variant="subtle"
          className={classes.add}
          leftSection={<IconPlus {...ICON} />}
          onClick={() => {
            flushSync(() => onChange([...links, { kind: 'chart', title: '', url: '' }]));
            rows.current?.querySelector<HTMLElement>(':scope > :last-child input')?.focus();
          }}
        >
          Add link
        </Button>
      )}
    </div>
  );
}
