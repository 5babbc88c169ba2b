import { NativeSelect, TextInput } from '@mantine/core';
import { Choice } from '#client/components/choice.tsx';
import { Dialog, DialogForm } from '#client/components/dialog.tsx';
import { defaultInviteName, INVITE_DAYS, inviteExpiry } from '#client/domain-ui/invite-message.ts';
import { useServerForm } from '#client/lib/server-form.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { findRequested } from '#client/lib/slot-request.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { localDate } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import { INVITES } from '#shared/limits.ts';
import { createInviteInput, type InviteDto } from '#shared/schemas/community.ts';
import type { SlotRequestDto } from '#shared/schemas/slot-requests.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { communityCopy } from './community-text.ts';
import classes from './community.module.css';

const NEVER = 'never';
const EXPIRIES = [
  { value: '1', label: 'In 1 day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: NEVER, label: 'Never' },
];
const ADMIN_EXPIRIES = EXPIRIES.filter(({ value }) => Number(value) <= INVITES.adminDaysMax);
const INITIAL = {
  name: '',
  maxUses: '',
  expiry: `${INVITE_DAYS}`,
  withApproval: false,
  isForAdmins: false,
  timeZone: '',
  /** null: the one that the request names */
  aircraft: null as string | null,
};

/**
 * The input of the call. An empty number is none; invalid ones stay text, so that the schema refuses them.
 * @param today for an invite without a name
 */
function toInput(
  { name: given, maxUses, expiry, withApproval, isForAdmins, timeZone, aircraft }: typeof INITIAL,
  today: string,
) {
  return {
    name: given.trim() === '' ? defaultInviteName(today) : given,
    withApproval,
    role: isForAdmins ? ('admin' as const) : ('user' as const),
    maxUses: maxUses.trim() === '' ? null : /^\d+$/.test(maxUses.trim()) ? Number(maxUses) : Number.NaN,
    expiresAt: expiry === NEVER ? null : inviteExpiry(Number(expiry)),
    timeZone: timeZone === '' ? null : timeZone,
    aircraftIds: !aircraft ? [] : [Number(aircraft)],
  };
}

/** The visitor's name, as far as it fits. */
const nameFor = ({ handle }: SlotRequestDto): string => Array.from(handle).slice(0, INVITES.nameLength).join('');

interface InviteDialogProps {
  /** the request that the invite answers, and begins with */
  request?: SlotRequestDto | undefined;
  onClose: () => void;
  onCreated: (invite: InviteDto) => void;
}

/** Dialog that makes an invite. */
export function InviteDialog({ request, onClose, onCreated }: InviteDialogProps) {
  const viewer = useSignedInViewer();
  const utils = trpc.useUtils();
  const today = localDate(useNow(), viewer.timeZone);
  const aircraft = trpc.availability.aircraft.useQuery({ activeOnly: true });
  const module = request === undefined || request.module === 'Other' ? null : request.module;
  const requested = findRequested({ module }, aircraft.data ?? []);
  const first = requested ? String(requested.id) : '';
  const form = useServerForm({
    schema: createInviteInput,
    mode: 'controlled',
    initialValues: request ? { ...INITIAL, name: nameFor(request), maxUses: '1' } : INITIAL,
    toInput: (values) => toInput({ ...values, aircraft: values.aircraft ?? first }, today),
    failure: copy.unknownError,
  });
  const create = trpc.admin.community.createInvite.useMutation({
    onSuccess: async (invite) => {
      void utils.admin.audit.invalidate();
      void utils.admin.community.requests.invalidate();
      await utils.admin.community.invites.invalidate();
      onCreated(invite);
    },
    onError: form.refuse,
  });
  const { withApproval, isForAdmins } = form.values;
  const forAdmins = (isOn: boolean): void => {
    form.setValues(isOn ? { isForAdmins: true, maxUses: '1', expiry: '1' } : { isForAdmins: false });
  };
  return (
    <Dialog opened title="Create an invite" onClose={onClose}>
      <DialogForm
        error={form.refusal}
        onClose={onClose}
        submit="Create invite"
        isBusy={create.isPending}
        onSubmit={form.submit((input) => create.mutate({ ...input, ...(request && { requestId: request.id }) }))}
      >
        <div className={classes.form}>
          <TextInput
            label="Name"
            description="Only admins see it. Empty for today's date."
            placeholder="Autumn recruits"
            maxLength={INVITES.nameLength}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <div className={classes.pair}>
            <TextInput
              label="Number of uses"
              description="Leave empty for no limit"
              inputMode="numeric"
              autoComplete="off"
              {...form.getInputProps('maxUses')}
            />
            <NativeSelect
              label="Expires"
              description="The link stops working then"
              data={isForAdmins ? ADMIN_EXPIRIES : EXPIRIES}
              {...form.getInputProps('expiry')}
            />
          </div>
          <div className={classes.pair}>
            <NativeSelect
              label="Time zone to start with"
              data={[
                { value: '', label: 'Not set' },
                ...[...new Set([...TIME_ZONES, viewer.timeZone])].map((zone) => ({ value: zone, label: zone })),
              ]}
              {...form.getInputProps('timeZone')}
            />
            <NativeSelect
              label="Aircraft to start with"
              data={[
                { value: '', label: 'Not set' },
                ...(aircraft.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              {...form.getInputProps('aircraft')}
              value={form.values.aircraft ?? first}
            />
          </div>
          <Choice
            label="Approve each pilot"
            meaning="They can fill in their profile, and fly once an admin has approved them."
            checked={withApproval}
            onChange={(isOn) => form.setFieldValue('withApproval', isOn)}
          />
          <Choice
            label="For admins"
            meaning={`The accounts become admins. At most ${INVITES.adminUsesMax} uses and ${INVITES.adminDaysMax} days.`}
            checked={isForAdmins}
            onChange={forAdmins}
          />
          {isForAdmins && (
            <p role="alert" className={classes.warning}>
              {communityCopy.adminWarning}
            </p>
          )}
        </div>
      </DialogForm>
    </Dialog>
  );
}
