import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { CloseButton } from '#client/components/icon-button.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Mark } from '#client/components/marks.tsx';
import { Panel } from '#client/components/panel.tsx';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { CopyDiscordMessage, InviteLink } from '#client/domain-ui/invite-link.tsx';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useBot } from '#client/lib/use-bot.ts';
import { copy } from '#shared/copy.ts';
import type { GuidedStartDto, InviteDto } from '#shared/schemas/community.ts';
import { count } from '#shared/plural.ts';
import { boardCopy } from './board-text.ts';
import { CallSignForm, InviteButton, NameForm } from './guided-forms.tsx';
import classes from './guided-start.module.css';

/** The next step's button stands out. */
type Variant = 'filled' | 'default';

interface Step {
  isDone: boolean;
  title: string;
  meaning: ReactNode;
  /** another way, which stays once the step is done */
  other?: ReactNode;
  action: (variant: Variant) => ReactNode;
}

/** Checklist of a new community; the first steps are done in it, and each ticks itself off once it is done. */
export function GuidedStart({ start, className }: { start: GuidedStartDto; className: string | undefined }) {
  const utils = trpc.useUtils();
  const bot = useBot();
  const dismiss = trpc.admin.community.dismissStart.useMutation({
    onSuccess: () => utils.admin.community.start.invalidate(),
    onError: (cause) => showFailure(cause, copy.unknownError),
  });
  const list = useRef<HTMLOListElement>(null);
  const [invite, setInvite] = useState<InviteDto | null>(null);
  /** the number of steps that were done before one is done here; the focus then moves on */
  const doneBefore = useRef<number | null>(null);
  const onDone = async (): Promise<void> => {
    doneBefore.current = done;
    await utils.admin.community.start.invalidate();
  };
  const refresh = () => Promise.all([utils.admin.invalidate(), utils.pilot.invalidate()]);
  const onError = (cause: unknown): void => showFailure(cause, copy.unknownError);
  const practise = trpc.admin.mission.createPractice.useMutation({
    onSuccess: async () => {
      await refresh();
      showToast(boardCopy.practiceMade);
    },
    onError,
  });
  const stop = trpc.admin.mission.removePractice.useMutation({
    onSuccess: async () => {
      await refresh();
      showToast(boardCopy.practiceRemoved);
    },
    onError,
  });
  const { practice } = start;
  const { hasName, hasCallSign, hasInvited, hasServer, hasMission, pilots, withTimes } = start;
  const steps: Step[] = [
    {
      isDone: hasName,
      title: 'Name your community',
      meaning: 'Pilots see the name on their invite.',
      action: (variant) => <NameForm variant={variant} onDone={onDone} />,
    },
    {
      isDone: hasCallSign,
      title: 'Choose your call sign and time zone',
      meaning: 'Missions show your times, and pilots see who planned them.',
      action: (variant) => <CallSignForm variant={variant} onDone={onDone} />,
    },
    {
      isDone: hasInvited,
      title: 'Invite your pilots',
      meaning: `${count(pilots, 'pilot')} so far, ${withTimes} with times.`,
      other: (
        <>
          {invite !== null && (
            <div className={classes.invite}>
              <InviteLink
                url={invite.url}
                description="Share it with your pilots. You can find it on the Invites page any time."
              />
              <CopyDiscordMessage invite={invite} />
            </div>
          )}
          <span className={classes.others}>
            <Link to="/admin/users/import" className={classes.other}>
              Import a spreadsheet
            </Link>
            <Link to="/admin/invites" className={classes.other}>
              Invites with a limit or approval
            </Link>
          </span>
        </>
      ),
      action: (variant) => <InviteButton variant={variant} onDone={onDone} onMade={setInvite} />,
    },
    {
      isDone: hasServer,
      title: 'Connect Discord (optional)',
      meaning:
        bot?.state === 'off'
          ? 'Orders then arrive as direct messages. The bot needs the setting DISCORD_TOKEN; bot/README.md says how.'
          : 'Orders then arrive as direct messages, and pilots register from your server.',
      action: (variant) => (
        <LinkButton variant={variant} to="/admin/discord/guilds">
          Set Up Discord
        </LinkButton>
      ),
    },
    {
      isDone: hasMission,
      title: 'Issue your first mission',
      meaning: 'Marshal seats the pilots who are free and sends their orders.',
      action: (variant) => (
        <LinkButton variant={variant} to="/admin/missions">
          Plan a First Mission
        </LinkButton>
      ),
    },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone);
  useEffect(() => {
    if (doneBefore.current === null || doneBefore.current === done) return;
    doneBefore.current = null;
    // the form that had the focus is gone
    list.current?.querySelector<HTMLElement>(`[data-next] .${classes.action} :is(input, a, button)`)?.focus();
  }, [done]);
  return (
    <Panel
      flush
      className={className}
      title={`First steps: ${done} of ${steps.length} done`}
      actions={<CloseButton label="Hide the first steps" onClick={() => dismiss.mutate()} />}
    >
      <ol ref={list} className={classes.steps} aria-label="First steps">
        {steps.map((step) => (
          <li
            key={step.title}
            className={classes.step}
            data-done={step.isDone || undefined}
            data-next={step === next || undefined}
          >
            <span className={classes.mark}>
              <Mark shape="diamond" filled={step.isDone} size={18} />
            </span>
            <span className={classes.words}>
              <strong>
                {step.title}
                {step.isDone && <VisuallyHidden> (done)</VisuallyHidden>}
              </strong>
              <span className={classes.meaning}>{step.isDone ? 'Done' : step.meaning}</span>
              {step.other}
            </span>
            <span className={classes.action}>
              {step.isDone ? (
                <Button variant="default" disabled aria-hidden="true" className={classes.hidden}>
                  Done
                </Button>
              ) : (
                step.action(step === next ? 'filled' : 'default')
              )}
            </span>
          </li>
        ))}
      </ol>
      <div className={classes.practice}>
        <span className={classes.words}>
          <strong>Practise first</strong>
          <span className={classes.meaning}>
            {practice === null ? boardCopy.practiceMeaning : boardCopy.practiceOn}
          </span>
        </span>
        <span className={classes.buttons}>
          {practice === null ? (
            <Button variant="default" loading={practise.isPending} onClick={() => practise.mutate()}>
              Start a Practice Mission
            </Button>
          ) : (
            <>
              <LinkButton variant="default" to="/home">
                Answer Your Order
              </LinkButton>
              <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate({ id: practice.id })}>
                Remove the Practice Mission
              </Button>
            </>
          )}
        </span>
      </div>
    </Panel>
  );
}
