import { InteractionContextType, PermissionFlagsBits, type SlashCommandStringOption } from 'discord.js';
import { englishTexts as say } from '#shared/discord-texts/catalogue.ts';
import { THEATERS } from '#shared/vocabulary.ts';
import { command, takeChoice, type Command } from './command.ts';

const DEFAULT_LENGTH = '3h';

/** The option for a mission from the server's list. */
const chosen = (subcommand: 'roster' | 'cancel' | 'announce') => (option: SlashCommandStringOption) =>
  option
    .setName('mission')
    .setDescription(say(`command.mission.${subcommand}.mission`))
    .setRequired(true)
    .setAutocomplete(true);

/**
 * `/mission`: Discord offers it to members who may manage the server, as far as its settings say nothing else, and the server
 * refuses those who are not admins of Marshal. Direct messages have no permissions, so it is not offered there.
 */
export const mission = {
  isForAdmins: true,
  data: command('mission')
    .setContexts(InteractionContextType.Guild)
    .setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
    .addSubcommand((create) =>
      create
        .setName('create')
        .setDescription(say('command.mission.create'))
        .addStringOption((name) =>
          name.setName('name').setDescription(say('command.mission.create.name')).setRequired(true).setMaxLength(200),
        )
        .addStringOption((theater) =>
          theater
            .setName('theater')
            .setDescription(say('command.mission.create.theater'))
            .setRequired(true)
            .addChoices(...THEATERS.map((value) => ({ name: value, value }))),
        )
        .addStringOption((date) =>
          date.setName('date').setDescription(say('command.mission.create.date')).setRequired(true).setMaxLength(40),
        )
        .addStringOption((time) =>
          time.setName('time').setDescription(say('command.mission.create.time')).setRequired(true).setMaxLength(40),
        )
        .addStringOption((seats) =>
          seats
            .setName('seats')
            .setDescription(say('command.mission.create.seats'))
            .setRequired(true)
            .setMaxLength(1_000),
        )
        .addStringOption((duration) =>
          duration.setName('duration').setDescription(say('command.mission.create.duration')).setMaxLength(40),
        ),
    )
    .addSubcommand((roster) =>
      roster.setName('roster').setDescription(say('command.mission.roster')).addStringOption(chosen('roster')),
    )
    .addSubcommand((cancel) =>
      cancel.setName('cancel').setDescription(say('command.mission.cancel')).addStringOption(chosen('cancel')),
    )
    .addSubcommand((announce) =>
      announce.setName('announce').setDescription(say('command.mission.announce')).addStringOption(chosen('announce')),
    ),
  execute({ actor, server }, interaction) {
    const { options } = interaction;
    const name = options.getSubcommand();
    if (name === 'create') {
      return server.mission.draft.mutate({
        actor,
        interactionId: interaction.id,
        name: options.getString('name', true),
        theater: takeChoice(THEATERS, options.getString('theater', true)),
        date: options.getString('date', true),
        time: options.getString('time', true),
        duration: options.getString('duration') ?? DEFAULT_LENGTH,
        seats: options.getString('seats', true),
      });
    }
    const about = { actor, missionId: options.getString('mission', true) };
    if (name === 'roster') return server.mission.roster.query(about);
    if (name === 'cancel') return server.mission.askToCancel.query(about);
    return server.mission.announce.mutate(about);
  },
  autocomplete: ({ actor, server }, { options }) =>
    server.mission.choices.query({
      actor,
      text: options.getFocused().slice(0, 100),
      withDrafts: options.getSubcommand() === 'cancel',
    }),
} satisfies Command;
