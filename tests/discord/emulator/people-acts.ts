/** Acts of people on messages and commands. What Discord's own client would not allow, throws. */
import { ButtonStyle, PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import { resolveCommand } from './command-use.ts';
import { buttonsOf, interact, menusOf, type Until } from './interactions.ts';
import { channelPermissions, isTextChannel } from './permissions.ts';
import { directChannel } from './routes/channels.ts';
import { guildOf, personOf, type Channel, type Message, type Person, type World } from './state.ts';
import type { Emulator, Snowflake } from './types.ts';

type PeopleActs = Pick<Emulator, 'press' | 'choose' | 'command' | 'autocomplete'>;

export function createPeopleActs(world: World, until: Until): PeopleActs {
  /** The first text channel of the guild that this person sees, or their direct messages with the bot. */
  function placeOf(person: Person, guildId: Snowflake | null): Channel {
    if (guildId === null) return directChannel(world, person);
    const guild = guildOf(world, guildId);
    const member = guild.members.get(person.id);
    if (member === undefined) throw new Error(`${person.username} is no member of ${guild.name}`);
    if (!guild.isInstalled) throw new Error(`The bot is not in ${guild.name}`);
    const needed = Bits.ViewChannel | Bits.UseApplicationCommands;
    const channel = [...guild.channels.values()].find(
      (one) => isTextChannel(one) && (channelPermissions(guild, member, one) & needed) === needed,
    );
    if (channel === undefined) throw new Error(`${person.username} can use no command in any channel of ${guild.name}`);
    return channel;
  }

  return {
    press: async (userId, messageId, label, options) => {
      const person = personOf(world, userId);
      const { channel, message } = findMessage(world, messageId);
      checkSees(world, person, channel, message);
      const buttons = buttonsOf(message.components);
      const button = buttons.find((one) => one['custom_id'] === label) ?? buttons.find((one) => one['label'] === label);
      if (button === undefined) {
        const there = buttons.map((one) => String(one['label'] ?? one['custom_id'])).join(', ');
        throw new Error(`The message has no button "${label}"${there === '' ? '' : `; it has: ${there}`}`);
      }
      if (button['disabled'] === true) throw new Error(`The button "${label}" is disabled`);
      if (button['style'] === ButtonStyle.Link)
        throw new Error(`The button "${label}" is a link to ${String(button['url'])}`);
      const data = { component_type: 2, custom_id: button['custom_id'], id: 2 };
      return interact(world, until, { type: 3, person, channel, data, source: message }, options);
    },
    choose: async (userId, messageId, label, options) => {
      const person = personOf(world, userId);
      const { channel, message } = findMessage(world, messageId);
      checkSees(world, person, channel, message);
      const [menu] = menusOf(message.components);
      if (menu === undefined) throw new Error('The message has no menu');
      const option = menu.options.find((one) => label.test(one.label));
      if (option === undefined) {
        throw new Error(`The menu has no ${label}; it has: ${menu.options.map((one) => one.label).join(', ')}`);
      }
      const data = { component_type: 3, custom_id: menu.custom_id, values: [option.value], id: 2 };
      return interact(world, until, { type: 3, person, channel, data, source: message }, options);
    },
    command: async (userId, guildId, path, values = {}, options) => {
      const person = personOf(world, userId);
      const channel = placeOf(person, guildId);
      const { command, data } = resolveCommand(world, person, guildId, path, values);
      return interact(world, until, { type: 2, person, channel, data, commandName: command.name }, options);
    },
    autocomplete: async (userId, guildId, path, focused, text) => {
      const person = personOf(world, userId);
      const channel = placeOf(person, guildId);
      const { command, data } = resolveCommand(world, person, guildId, path, {}, { name: focused, text });
      return interact(world, until, { type: 4, person, channel, data, commandName: command.name });
    },
  };
}

function findMessage(world: World, messageId: Snowflake): { channel: Channel; message: Message } {
  for (const channel of world.channels.values()) {
    const message = channel.messages.find(({ id }) => id === messageId);
    if (message !== undefined) return { channel, message };
  }
  throw new Error(`There is no message ${messageId}`);
}

function checkSees(world: World, person: Person, channel: Channel, message: Message): void {
  if (message.ephemeralFor !== null && message.ephemeralFor !== person.id) {
    throw new Error(`Only somebody else sees the message ${message.id}`);
  }
  if (channel.guildId === null) {
    if (channel.recipient !== person)
      throw new Error(`${person.username} does not see somebody else's direct messages`);
    return;
  }
  const guild = guildOf(world, channel.guildId);
  const member = guild.members.get(person.id);
  if (!guild.isInstalled) throw new Error(`The bot is not in ${guild.name}`);
  if (member === undefined) throw new Error(`${person.username} is no member of ${guild.name}`);
  if ((channelPermissions(guild, member, channel) & Bits.ViewChannel) === 0n) {
    throw new Error(`${person.username} does not see #${channel.name}`);
  }
}
