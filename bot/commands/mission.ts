import type { SlashCommandStringOption } from 'discord.js';
import { THEATERS } from '#shared/vocabulary.ts';
import { command, takeChoice, type Command } from './command.ts';

const DEFAULT_LENGTH = '3h';

/** The option for a mission from the server's list. */
const chosen = (option: SlashCommandStringOption) =>
  option.setName('mission').setDescription('A coming mission').setRequired(true).setAutocomplete(true);

/** `/mission`: everybody sees it, and the server refuses those who are not admins of Marshal. */
export const mission = {
  data: command('mission', 'Create and manage missions (admins of Marshal)')
    .addSubcommand((create) =>
      create
        .setName('create')
        .setDescription('Write a mission, see who would be asked, then publish it')
        .addStringOption((name) =>
          name.setName('name').setDescription('Name of the mission').setRequired(true).setMaxLength(200),
        )
        .addStringOption((theater) =>
          theater
            .setName('theater')
            .setDescription('Theater of the mission')
            .setRequired(true)
            .addChoices(...THEATERS.map((value) => ({ name: value, value }))),
        )
        .addStringOption((date) =>
          date
            .setName('date')
            .setDescription('2026-11-28, today, tomorrow, or a day of the week')
            .setRequired(true)
            .setMaxLength(40),
        )
        .addStringOption((time) =>
          time
            .setName('time')
            .setDescription('19:00 in your own time zone, or 1900Z')
            .setRequired(true)
            .setMaxLength(40),
        )
        .addStringOption((seats) =>
          seats
            .setName('seats')
            .setDescription('Such as 4 F-16C CAP, 2 A-10C CAS red')
            .setRequired(true)
            .setMaxLength(1_000),
        )
        .addStringOption((duration) =>
          duration
            .setName('duration')
            .setDescription('Such as 2h, 2:30 or 90 min; 3 hours without it')
            .setMaxLength(40),
        ),
    )
    .addSubcommand((roster) =>
      roster.setName('roster').setDescription('Who sits where, and who is on standby').addStringOption(chosen),
    )
    .addSubcommand((cancel) =>
      cancel.setName('cancel').setDescription('Cancel a mission, after a question').addStringOption(chosen),
    )
    .addSubcommand((announce) =>
      announce
        .setName('announce')
        .setDescription("Post a mission in this server's missions channel")
        .addStringOption(chosen),
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
