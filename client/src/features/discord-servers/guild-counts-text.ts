/** Labels of guild events and channel types. */
import {
  IconDots,
  IconHash,
  IconMessageCircle,
  IconMessages,
  IconSpeakerphone,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ChannelType, GuildEventType } from '#shared/vocabulary.ts';

const EVENT_WORDS: Record<GuildEventType, string> = {
  guild_installed: 'Bot installed',
  guild_accepted: 'Server accepted',
  guild_reinstalled: 'Bot installed again',
  guild_removed: 'Bot removed',
  guild_unavailable: 'Server unavailable',
  guild_available: 'Server available again',
  guild_updated: 'Server changed',
  members_synced: 'Members loaded',
  members_sync_failed: 'Members not loaded',
  member_joined: 'Member joined',
  member_left: 'Member left',
  moderator_changed: 'Moderator changed',
  channel_created: 'Channel created',
  channel_updated: 'Channel changed',
  channel_deleted: 'Channel deleted',
  channel_permissions_changed: 'Channel permissions changed',
  default_channel_lost: 'Default channel lost',
  announcement_queued: 'Announcement queued',
  announcement_sent: 'Announcement sent',
  announcement_failed: 'Announcement failed',
  announcement_uncertain: 'Announcement unconfirmed',
  registration_link_issued: 'Registration link issued',
  registration_completed: 'Registration completed',
  registration_rejected: 'Registration rejected',
  account_linked: 'Account linked',
  dm_failed: 'Direct message failed',
  rsvp_from_discord: 'RSVP from Discord',
  scheduled_event_created: 'Scheduled event created',
  scheduled_event_failed: 'Scheduled event failed',
  command_failed: 'Command failed',
  intent_denied: 'Members intent denied',
};

/** Label of an event type, such as `Announcement queued`; an unknown type is shown with spaces: `Some other event`. */
export function eventWords(eventType: string): string {
  const plain = eventType.replaceAll('_', ' ');
  const words: Partial<Record<string, string>> = EVENT_WORDS;
  return words[eventType] ?? `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}

export const CHANNEL_LOOKS: Record<ChannelType, { word: string; icon: TablerIcon }> = {
  text: { word: 'Text', icon: IconHash },
  announcement: { word: 'Announcement', icon: IconSpeakerphone },
  thread: { word: 'Thread', icon: IconMessageCircle },
  forum: { word: 'Forum', icon: IconMessages },
  other: { word: 'Other', icon: IconDots },
};
