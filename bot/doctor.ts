/** Diagnosis of the bot's set-up (`npm run bot:doctor`): queries Discord and changes nothing there. */
import { DiscordAPIError, REST } from '@discordjs/rest';
import {
  type APIGatewayBotInfo,
  type APIUser,
  ApplicationFlags,
  type RESTAPIPartialCurrentUserGuild,
  type RESTGetCurrentApplicationResult,
  Routes,
} from 'discord-api-types/v10';
import { isLinkable } from '#shared/discord-links.ts';
import { type Finding, hint, missing, ok } from './doctor-findings.ts';
import { examineGuild } from './doctor-guilds.ts';

export interface Patient {
  token: string | undefined;
  clientId: string | undefined;
  clientSecret: string | undefined;
  /** such as https://discord.com/api */
  apiUrl: string;
  /** public origin of Marshal */
  publicUrl: string;
  /** builds the address that installs the bot in a server */
  installLink: (applicationId: string) => string;
}

const TIMEOUT_MS = 8_000;
const PORTAL = 'https://discord.com/developers/applications';
/** Redirect path of sign-in with Discord. */
const CALLBACK_PATH = '/api/v1/auth/discord/callback';
/** Below this many session starts left today, a bot that crashes once a minute would be locked out in 15 minutes. */
const FEW_SESSIONS = 15;
/** Maximum servers that are checked; the others are counted. */
const EXAMINED_GUILDS = 50;
const HELLO = 10;
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Checks everything that the bot needs, in the order of the set-up. Never throws and never prints a secret. */
export async function examine(patient: Patient): Promise<Finding[]> {
  const settings = [examinePublicUrl(patient.publicUrl)];
  if (patient.token === undefined) {
    const remedy = `Create an application at ${PORTAL}, copy the token of its bot, and set DISCORD_TOKEN.`;
    return [missing('Token', `DISCORD_TOKEN is not set. ${remedy}`), ...settings];
  }
  const rest = new REST({
    version: '10',
    api: patient.apiUrl,
    timeout: TIMEOUT_MS,
    retries: 0,
    hashSweepInterval: 0,
    handlerSweepInterval: 0,
  }).setToken(patient.token);
  try {
    const me = (await rest.get(Routes.user())) as APIUser;
    const application = (await rest.get(Routes.currentApplication())) as RESTGetCurrentApplicationResult;
    return [
      ok('Discord', `It answers at ${patient.apiUrl}.`),
      ok('Token', `Discord accepts it: the bot is called ${me.username}.`),
      examineClientId(patient, application.id),
      ...examineSignIn(patient, application),
      examineIntent(application),
      examinePublic(application),
      ...(await attempt('Gateway', () => examineGateway(rest))),
      ...settings,
      ok('Install link', patient.installLink(application.id)),
      ...(await attempt('Servers', () => examineGuilds(rest, me.id))),
    ];
  } catch (error) {
    return [explain(error, patient.apiUrl), ...settings];
  }
}

/** Runs one check; a failure becomes a finding, so that the other checks still run. */
async function attempt(about: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    return [missing(about, `This check failed: ${reason(error)}. Try again in a moment.`)];
  }
}

function explain(error: unknown, apiUrl: string): Finding {
  if (error instanceof DiscordAPIError && error.status === 401) {
    return missing(
      'Token',
      `Discord refuses DISCORD_TOKEN. Reset the token of the bot at ${PORTAL} and set the new one.`,
    );
  }
  const remedy = 'Check the network, DISCORD_API_URL, and https://discordstatus.com.';
  return missing('Discord', `It does not answer at ${apiUrl} as it should: ${reason(error)}. ${remedy}`);
}

/** Cause of a failure, without addresses or headers. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown error';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no answer in time';
  const code = error.cause instanceof Error ? Reflect.get(error.cause, 'code') : Reflect.get(error, 'status');
  return code === undefined ? error.message : `${error.message} (${String(code)})`;
}

function examineClientId({ clientId }: Patient, applicationId: string): Finding {
  if (clientId === applicationId) return ok('Client id', 'DISCORD_CLIENT_ID is the application of this token.');
  const found = clientId === undefined ? 'is not set' : `is ${clientId}, which is another application`;
  return missing('Client id', `DISCORD_CLIENT_ID ${found}. Set DISCORD_CLIENT_ID=${applicationId}.`);
}

function examineSignIn({ clientSecret, publicUrl }: Patient, application: RESTGetCurrentApplicationResult): Finding[] {
  if (clientSecret === undefined) {
    const remedy = "To let people sign in with Discord, set it to the secret on the application's OAuth2 page.";
    return [hint('Client secret', `DISCORD_CLIENT_SECRET is not set; the bot works without it. ${remedy}`)];
  }
  const address = `${publicUrl}${CALLBACK_PATH}`;
  return [
    ok('Client secret', 'DISCORD_CLIENT_SECRET is set: people can sign in with Discord.'),
    application.redirect_uris?.includes(address) === true
      ? ok('Redirect', `${address} is registered.`)
      : missing('Redirect', `Add ${address} under OAuth2, Redirects of the application, or sign-in ends in an error.`),
  ];
}

function examineIntent({ flags }: RESTGetCurrentApplicationResult): Finding {
  const either = ApplicationFlags.GatewayGuildMembers | ApplicationFlags.GatewayGuildMembersLimited;
  return ((flags ?? 0) & either) !== 0
    ? ok('Members intent', 'It is switched on.')
    : missing(
        'Members intent',
        'Switch on "Server Members Intent" on the Bot page of the application, or Marshal cannot tell who is in a server.',
      );
}

/** Servers of strangers wait for an admin in any case; a bot that is not public does not even get into them. */
function examinePublic({ bot_public: isPublic }: RESTGetCurrentApplicationResult): Finding {
  return isPublic
    ? hint(
        'Public bot',
        'Anybody can add this bot to a server. Set the Install Link on the Installation page of the application to None, then switch off "Public Bot" on the Bot page. A server gets nothing before an admin accepts it on the site.',
      )
    : ok('Public bot', 'Only the owner of the application can add it to a server.');
}

async function examineGateway(rest: REST): Promise<Finding[]> {
  const { url, session_start_limit: limit } = (await rest.get(Routes.gatewayBot())) as APIGatewayBotInfo;
  const left = `${limit.remaining} of ${limit.total} starts are left today`;
  const hours = Math.ceil(limit.reset_after / 3_600_000);
  const sessions =
    limit.remaining === 0
      ? missing('Session starts', `${left}. The bot can connect again in ${hours} hours at the latest.`)
      : limit.remaining < FEW_SESSIONS
        ? hint('Session starts', `${left}: something keeps restarting the bot.`)
        : ok('Session starts', `${left}.`);
  const isReached = await saysHello(url);
  return [
    isReached
      ? ok('Gateway', 'It accepts connections.')
      : missing(
          'Gateway',
          `It does not answer. A firewall or proxy must allow outgoing WebSockets to ${new URL(url).host}.`,
        ),
    sessions,
  ];
}

/** True when the gateway sends Hello. Without an identify, this uses no session start and disturbs no running bot. */
function saysHello(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${url}?v=10&encoding=json`);
    const end = (isReached: boolean) => {
      clearTimeout(timer);
      socket.close();
      resolve(isReached);
    };
    const timer = setTimeout(() => end(false), TIMEOUT_MS);
    socket.addEventListener('error', () => end(false));
    socket.addEventListener('close', () => end(false));
    socket.addEventListener('message', ({ data }) => end(isHello(data)));
  });
}

function isHello(data: unknown): boolean {
  const frame: unknown = typeof data === 'string' ? JSON.parse(data) : null;
  return typeof frame === 'object' && frame !== null && Reflect.get(frame, 'op') === HELLO;
}

function examinePublicUrl(publicUrl: string): Finding {
  const { protocol, hostname } = new URL(publicUrl);
  if (!isLinkable(publicUrl)) {
    return missing(
      'PUBLIC_URL',
      `Discord refuses links to ${publicUrl}, because ${hostname} has no dot, so messages show them as text. Set PUBLIC_URL to an address with a domain, such as https://marshal.example.`,
    );
  }
  if (LOOPBACK.test(hostname)) {
    return hint(
      'PUBLIC_URL',
      `Links in Discord lead to ${publicUrl}, which only this machine can reach. Set PUBLIC_URL before others use them.`,
    );
  }
  return protocol === 'https:'
    ? ok('PUBLIC_URL', `Links in Discord lead to ${publicUrl}.`)
    : hint(
        'PUBLIC_URL',
        `Links in Discord lead to ${publicUrl} without https: others on the network can read sign-ins.`,
      );
}

async function examineGuilds(rest: REST, botId: string): Promise<Finding[]> {
  const guilds = (await rest.get(Routes.userGuilds())) as RESTAPIPartialCurrentUserGuild[];
  if (guilds.length === 0) {
    return [missing('Servers', 'The bot is not in any server. Open the install link as someone who manages one.')];
  }
  const findings: Finding[] = [];
  for (const guild of guilds.slice(0, EXAMINED_GUILDS)) {
    findings.push(...(await attempt(`Server ${guild.name}`, () => examineGuild(rest, guild, botId))));
  }
  const more = guilds.length - EXAMINED_GUILDS;
  return more > 0 ? [...findings, hint('Servers', `${more} more were not checked.`)] : findings;
}
