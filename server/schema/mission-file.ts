/** The simulator's mission files: their contents by hash, in chunks, the files that admins sent, and the units of a mission's seats. */
import { defineEntity } from '@mikro-orm/core';
import type { FoundMission } from '#shared/schemas/mission-file.ts';
import { createdAt, id } from './base.ts';
import { freeJson, freeText, p, text } from './columns.ts';
import { none, personal, quotes, shown } from './personal.ts';
import { Flight, Mission } from './mission.ts';
import { User } from './user.ts';

/** The bytes of a file, stored once however often it is sent. */
export const MissionFileContentSchema = defineEntity({
  name: 'MissionFileContent',
  properties: {
    sha256: text(none).primary(),
    sizeBytes: p.integer(),
    /** what was read in it */
    found: freeJson<FoundMission>(
      ['title', 'situation', 'mapName', 'weather', 'name', 'type', 'task', 'callsign'],
      quotes('kept', 'as long as the file, which has the same words'),
    ),
    createdAt: createdAt(),
  },
});
export class MissionFileContent extends MissionFileContentSchema.class {}
MissionFileContentSchema.setClass(MissionFileContent);

/** A part of a content: rows of 1 MB, which a backup copies like all others. */
export const MissionFileChunkSchema = defineEntity({
  name: 'MissionFileChunk',
  properties: {
    content: () => p.manyToOne(MissionFileContent).primary().deleteRule('cascade'),
    sortOrder: p.smallint().primary(),
    bytes: p.blob(),
  },
});
export class MissionFileChunk extends MissionFileChunkSchema.class {}
MissionFileChunkSchema.setClass(MissionFileChunk);

/** A file that an admin sent: waiting for its mission for a day, or a version of the file of a mission. */
export const MissionFileSchema = defineEntity({
  name: 'MissionFile',
  properties: {
    id: id(),
    content: () => p.manyToOne(MissionFileContent).index('mission_file_content_idx'),
    /** as the admin named it */
    name: freeText(120, quotes('marks', 'as long as the file', { as: 'name' })),
    uploadedBy: () => p.manyToOne(User).nullable().deleteRule('set null').index('mission_file_uploaded_by_idx'),
    mission: () => p.manyToOne(Mission).nullable().deleteRule('cascade'),
    /** from 1 on; the highest is the mission's file */
    version: personal(p.smallint().nullable(), shown('version')),
    createdAt: personal(createdAt(), shown('createdAt')),
  },
  uniques: [{ name: 'mission_file_version', properties: ['mission', 'version'] }],
  checks: [{ name: 'mission_file_has_version', expression: '((mission_id is null) = (version is null))' }],
});
export class MissionFile extends MissionFileSchema.class {}
MissionFileSchema.setClass(MissionFile);

/** The unit of the mission's file that a seat is. */
export const MissionFileSeatSchema = defineEntity({
  name: 'MissionFileSeat',
  properties: {
    flight: () => p.manyToOne(Flight).primary().deleteRule('cascade'),
    seatIndex: p.smallint().primary(),
    mission: () => p.manyToOne(Mission).deleteRule('cascade').index('mission_file_seat_mission_idx'),
    groupId: p.integer(),
    unitId: p.integer(),
    /** 1 for the pilot, 2 for another crew station of the same aircraft */
    station: p.smallint().default(1),
  },
});
export class MissionFileSeat extends MissionFileSeatSchema.class {}
MissionFileSeatSchema.setClass(MissionFileSeat);
