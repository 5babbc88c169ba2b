/** Procedures for the seats, orders and attendance of a mission. */
import { recordAttendance } from '#server/missions/attendance/marks.ts';
import { decideAttendance, getAttendanceReport, setGameName } from '#server/missions/attendance/proposals.ts';
import { listMissionOrders } from '#server/missions/mission-orders.ts';
import { applySeats } from '#server/missions/apply-seats.ts';
import { assignPilot, removePilot } from '#server/missions/mission-seats.ts';
import { nudgePilots } from '#server/orders/nudges.ts';
import { adminProcedure, heavy, replicated } from '#server/http/trpc.ts';
import { noAccess } from '#server/http/access.ts';
import {
  attendanceReport,
  decideAttendanceInput,
  decidedAttendance,
  gameNameInput,
} from '#shared/schemas/attendance.ts';
import { success } from '#shared/schemas/common.ts';
import {
  assignedPilot,
  assignPilotInput,
  attendanceInput,
  missionIdInput,
  missionOrders,
  nudgedPilots,
  nudgeInput,
  removePilotInput,
  candidatesInput,
  seatCandidates,
} from '#shared/schemas/mission-admin.ts';
import { appliedSeats, applySeatsInput, seatBoard, seatBoardInput } from '#shared/schemas/seat-board.ts';
import { rest } from '#server/http/operation.ts';
import { LISTED_MAX } from '#shared/limits.ts';

export const missionSeatProcedures = {
  seatBoard: adminProcedure
    .meta(
      rest('get', '/admin/missions/:id/seats', {
        id: 'getSeatBoard',
        tag: 'Missions',
        summary: 'Get the seats of a mission and the pilots for them',
        description: 'The whole crew and the bench. `query` searches the bench.',
        refusals: ['MISSION_NOT_FOUND'],
      }),
    )
    .meta(heavy)
    .input(seatBoardInput)
    .output(seatBoard)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'seatBoard', input, ctx.now)),

  applySeats: adminProcedure
    .meta(
      rest('post', '/admin/missions/:id/seats', {
        id: 'applySeats',
        tag: 'Missions',
        summary: 'Move pilots on the seats of a mission together',
        description:
          'Asks, moves and removes pilots, all or nothing, then offers the seats that become free. A dry run changes nothing.',
        refusals: [
          'MISSION_NOT_FOUND',
          'FLIGHT_NOT_FOUND',
          'SEAT_NOT_FOUND',
          'USER_NOT_FOUND',
          'PILOT_SUSPENDED',
          'DELETION_REQUESTED',
          'PILOT_ON_LEAVE',
          'MISSION_IS_DRAFT',
          'MISSION_STARTED',
          'MISSION_FINAL',
          'CHANGED',
          'OVERLAP',
          'SEAT_TAKEN',
          'SEAT_EMPTY',
          'NOT_ELIGIBLE',
          'LIMIT_REACHED',
        ],
      }),
    )
    .meta(noAccess)
    .input(applySeatsInput)
    .output(appliedSeats)
    .mutation(({ ctx, input }) => applySeats(ctx.em, ctx.viewer, input, ctx.now)),

  assignPilot: adminProcedure
    .meta(
      rest('put', '/admin/missions/:id/seats/:flightId/:seatIndex', {
        id: 'assignPilot',
        tag: 'Missions',
        summary: 'Assign a pilot to a seat',
        description: 'Issues an order for the seat. A taken seat needs `replace`, together with `holderId`.',
        refusals: [
          'MISSION_NOT_FOUND',
          'FLIGHT_NOT_FOUND',
          'SEAT_NOT_FOUND',
          'USER_NOT_FOUND',
          'PILOT_SUSPENDED',
          'DELETION_REQUESTED',
          'PILOT_ON_LEAVE',
          'MISSION_IS_DRAFT',
          'MISSION_STARTED',
          'MISSION_FINAL',
          'OVERLAP',
          'SEAT_TAKEN',
          'LIMIT_REACHED',
        ],
      }),
    )
    .meta(noAccess)
    .input(assignPilotInput)
    .output(assignedPilot)
    .mutation(({ ctx, input }) => assignPilot(ctx.em, ctx.viewer, input, ctx.now)),

  removePilot: adminProcedure
    .meta(
      rest('delete', '/admin/missions/:id/seats/:flightId/:seatIndex', {
        id: 'removePilot',
        tag: 'Missions',
        summary: 'Remove the pilot from a seat',
        description: "Ends the pilot's order and asks the next pilot.",
        refusals: [
          'MISSION_NOT_FOUND',
          'FLIGHT_NOT_FOUND',
          'SEAT_NOT_FOUND',
          'MISSION_IS_DRAFT',
          'MISSION_STARTED',
          'MISSION_FINAL',
          'SEAT_EMPTY',
          'SEAT_TAKEN',
        ],
      }),
    )
    .meta(noAccess)
    .input(removePilotInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await removePilot(ctx.em, ctx.viewer, input, ctx.now);
      return { success: true } as const;
    }),

  candidates: adminProcedure
    .meta(
      rest('get', '/admin/missions/:id/seats/:flightId/:seatIndex/candidates', {
        id: 'listSeatCandidates',
        tag: 'Missions',
        summary: 'List candidates for a seat',
        answer: `Pilots for the seat, at most ${LISTED_MAX.candidates}: eligible ones first, then the others with the reason why not. \`query\` finds the others.`,
        refusals: ['MISSION_NOT_FOUND', 'FLIGHT_NOT_FOUND', 'SEAT_NOT_FOUND'],
      }),
    )
    .meta(heavy)
    .input(candidatesInput)
    .output(seatCandidates)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'seatCandidates', input, ctx.now)),

  orders: adminProcedure
    .meta(
      rest('get', '/admin/missions/:id/orders', {
        id: 'listMissionOrders',
        tag: 'Missions',
        summary: 'List the orders of a mission',
        answer: 'Orders of the mission, the newest first.',
        refusals: ['MISSION_NOT_FOUND'],
      }),
    )
    .meta(replicated)
    .input(missionIdInput)
    .output(missionOrders)
    .query(({ ctx, input }) => listMissionOrders(ctx.em, input.id, ctx.now)),

  nudge: adminProcedure
    .meta(
      rest('post', '/admin/missions/:id/nudge', {
        id: 'nudgePilots',
        tag: 'Missions',
        summary: 'Ask silent pilots again',
        description:
          'Those who have not answered or confirmed for three hours, or for half of the time that was left. Each is asked on the channels of "New frag orders".',
        refusals: ['MISSION_NOT_FOUND', 'MISSION_IS_DRAFT', 'MISSION_STARTED', 'MISSION_FINAL'],
      }),
    )
    .meta(noAccess)
    .input(nudgeInput)
    .output(nudgedPilots)
    .mutation(({ ctx, input }) => nudgePilots(ctx.em, ctx.viewer, input, ctx.now)),

  recordAttendance: adminProcedure
    .meta(
      rest('put', '/admin/missions/:id/attendance', {
        id: 'recordAttendance',
        tag: 'Missions',
        summary: 'Record attendance',
        description: 'For missions that have ended. Orders that the request does not name keep their mark.',
        refusals: ['MISSION_NOT_FOUND', 'MISSION_FINAL', 'MISSION_NOT_OVER', 'PILOT_HELD_NO_SEAT'],
      }),
    )
    .meta(noAccess)
    .input(attendanceInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await recordAttendance(ctx.em, ctx.viewer, input, ctx.now);
      return { success: true } as const;
    }),

  attendanceReport: adminProcedure
    .meta(
      rest('get', '/admin/missions/:id/attendance', {
        id: 'getAttendanceReport',
        tag: 'Missions',
        summary: 'Read who was seen in a mission',
        refusals: ['MISSION_NOT_FOUND'],
      }),
    )
    .meta(heavy)
    .input(missionIdInput)
    .output(attendanceReport)
    .query(({ ctx, input }) => getAttendanceReport(ctx.em, input.id)),

  decideAttendance: adminProcedure
    .meta(
      rest('post', '/admin/missions/:id/attendance/decisions', {
        id: 'decideAttendance',
        tag: 'Missions',
        summary: 'Confirm or dismiss proposed attendance',
        description: 'Orders that have a mark keep it.',
        refusals: ['MISSION_NOT_FOUND', 'MISSION_FINAL', 'MISSION_NOT_OVER'],
      }),
    )
    .meta(noAccess)
    .input(decideAttendanceInput)
    .output(decidedAttendance)
    .mutation(({ ctx, input }) => decideAttendance(ctx.em, ctx.viewer, input, ctx.now)),

  setGameName: adminProcedure
    .meta(
      rest('put', '/admin/missions/:id/game-names', {
        id: 'setGameName',
        tag: 'Missions',
        summary: 'Say whose a name in the game is',
        description: 'For this mission and later ones.',
        refusals: [
          'MISSION_NOT_FOUND',
          'MISSION_FINAL',
          'MISSION_NOT_OVER',
          'GAME_NAME_NOT_FOUND',
          'USER_NOT_FOUND',
          'DELETION_REQUESTED',
        ],
      }),
    )
    .meta(noAccess)
    .input(gameNameInput)
    .output(attendanceReport)
    .mutation(async ({ ctx, input }) => {
      await setGameName(ctx.em, ctx.viewer, input, ctx.now);
      return getAttendanceReport(ctx.em, input.id);
    }),
};
