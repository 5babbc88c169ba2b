/** Documentation of the calls for aircraft types. */
import type { OperationDocs, ProcedureName } from './docs.ts';

export const AIRCRAFT_DOCS = {
  'admin.aircraft.list': {
    id: 'listAircraftTypes',
    tag: 'Aircraft',
    summary: 'List aircraft types',
    answer: 'All types by name, also those that are switched off.',
  },
  'admin.aircraft.create': {
    id: 'createAircraftType',
    tag: 'Aircraft',
    summary: 'Add an aircraft type',
    description: "Adds a type of the community's own. An installation can have 200 of them.",
    refusals: ['AIRCRAFT_EXISTS', 'LIMIT_REACHED'],
  },
  'admin.aircraft.update': {
    id: 'updateAircraftType',
    tag: 'Aircraft',
    summary: 'Change an aircraft type',
    description: "Only the community's own types can change: releases update those of the catalogue.",
    refusals: ['AIRCRAFT_TYPE_NOT_FOUND', 'AIRCRAFT_EXISTS', 'AIRCRAFT_FROM_CATALOGUE'],
  },
  'admin.aircraft.offer': {
    id: 'offerAircraftTypes',
    tag: 'Aircraft',
    summary: 'Switch aircraft types on or off',
    description:
      "A type that is switched off is no longer offered for new missions, lists and times. Missions and pilots' lists that have it keep it.",
    answer: 'All types by name.',
    refusals: ['AIRCRAFT_TYPE_NOT_FOUND'],
  },
  'admin.aircraft.remove': {
    id: 'deleteAircraftType',
    tag: 'Aircraft',
    summary: 'Delete an aircraft type',
    description: "Only a type of the community's own that no mission, pilot's list or time refers to.",
    refusals: ['AIRCRAFT_TYPE_NOT_FOUND', 'AIRCRAFT_FROM_CATALOGUE', 'AIRCRAFT_IN_USE'],
  },
} as const satisfies Record<Extract<ProcedureName, `admin.aircraft.${string}`>, OperationDocs>;
