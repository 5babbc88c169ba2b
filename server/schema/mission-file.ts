/** The simulator's mission files: their contents by hash, in chunks, the files that admins sent, and the units of a mission's seats. */
import { defineEntity, p } from '@mikro-orm/core';
import type { FoundMission } from '#shared/schemas/mission-file.ts';
import { createdAt, id } from './base.ts';
import { Flight, Mission } from './mission.ts';
import { User } from './user.ts';

/** The bytes of a file, stored once however often it is sent. */
export const MissionFileContentSchema = defineEntity({
  name: 'MissionFileContent',
  properties: {
    sha256: p.text().primary(),
    sizeBytes: p.integer(),
    /** what was read in it */
    found: p.json<FoundMission>(),
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
    name: p.text(),
    uploadedBy: () => p.manyToOne(User).nullable().deleteRule('set null').index('mission_file_uploaded_by_idx'),
    mission: () => p.manyToOne(Mission).nullable().deleteRule('cascade'),
    /** from 1 on; the highest is the mission's file */
    version: p.smallint().nullable(),
    createdAt: createdAt(),
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
