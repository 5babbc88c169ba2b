import { useRouter } from '@tanstack/react-router';
import { useId, useState, type KeyboardEvent } from 'react';
import { Dialog } from '#client/components/dialog.tsx';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { matchCommands, useCommands, type Command } from './commands.ts';
import { useViewer } from '#client/lib/session.ts';
import { count } from '#shared/plural.ts';
import { readRecent, rememberCommand } from './recent-commands.ts';
import { useFoundCommands } from './use-found-commands.ts';
import classes from './palette.module.css';

/** Command palette: typing filters, Enter runs, arrow keys move through the list while the field keeps the focus. */
export function CommandsDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const viewer = useViewer();
  const router = useRouter();
  const ready = matchCommands(useCommands(), typed);
  const search = useFoundCommands(viewer, typed);
  const [recent] = useState(() => (viewer === null ? [] : readRecent(viewer)));
  const found =
    typed.trim() === ''
      ? [...recent.map(asRecent), ...ready.filter(({ group }) => group !== 'Settings')]
      : inOrder([...ready, ...search.commands]);
  const active = found[Math.min(place, found.length - 1)];

  const run = (command: Command): void => {
    onClose();
    if (viewer !== null) rememberCommand(viewer, command);
    if (command.href === undefined) void command.run?.();
    else router.history.push(command.href);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setPlace((Math.min(place, found.length - 1) + step + found.length) % found.length);
    } else if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault();
      run(active);
    }
  };

  return (
    <Dialog opened title="Go to" onClose={onClose}>
      <input
        className={classes.field}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is for typing
        autoFocus
        role="combobox"
        aria-label="Page, order or action"
        aria-expanded={found.length > 0}
        aria-controls={`${id}list`}
        aria-activedescendant={active === undefined ? undefined : `${id}${active.id}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="Page, pilot, mission, setting or action"
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={onKey}
      />
      <div id={`${id}list`} role="listbox" aria-label="Found" className={classes.list} tabIndex={-1}>
        {groupsOf(found).map(({ group, commands }) => (
          <div key={group} role="group" aria-labelledby={`${id}${group}`}>
            <div id={`${id}${group}`} className={classes.group}>
              {group}
            </div>
            {commands.map((command) => (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field above handles keys
              <div
                key={command.id}
                id={`${id}${command.id}`}
                ref={command === active ? keepInSight : undefined}
                role="option"
                aria-selected={command === active}
                className={classes.option}
                onClick={() => run(command)}
                onPointerMove={() => setPlace(found.indexOf(command))}
              >
                {command.label}
              </div>
            ))}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className={classes.none}>{search.isSearching ? 'Searching…' : `Nothing found for “${typed}”.`}</p>
      )}
      <VisuallyHidden>
        <output>{search.isSearching ? '' : count(found.length, 'match', 'matches')}</output>
      </VisuallyHidden>
    </Dialog>
  );
}

function keepInSight(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}

const asRecent = ({ label, href }: { label: string; href: string }): Command => ({
  id: `recent ${href}`,
  group: 'Recent',
  label,
  keywords: '',
  href,
});

const GROUPS: readonly Command['group'][] = ['Orders', 'Missions', 'Pilots', 'Servers', 'Pages', 'Settings', 'Actions'];

function inOrder(commands: readonly Command[]): Command[] {
  return GROUPS.flatMap((group) => commands.filter((command) => command.group === group));
}

/** Groups consecutive commands of the same group. */
function groupsOf(commands: readonly Command[]): { group: Command['group']; commands: Command[] }[] {
  const groups: { group: Command['group']; commands: Command[] }[] = [];
  for (const command of commands) {
    const last = groups.at(-1);
    if (last?.group === command.group) {
      last.commands.push(command);
    } else {
      groups.push({ group: command.group, commands: [command] });
    }
  }
  return groups;
}
