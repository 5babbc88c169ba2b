/** A small DNS server for the names of machines, as Docker has one for those of containers: a name exists once its machine has started. */
import { createSocket } from 'node:dgram';

export interface Names {
  set: (name: string, address: string) => void;
  /** The name of a machine that has stopped. */
  forget: (name: string) => void;
  stop: () => void;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
/** Flags of an answer (RFC 1035, 4.1.1): recursion available, and whether there is such a name. */
const FOUND = 0x8180;
const NO_SUCH_NAME = 0x8183;
/** The name of the question, by its offset in the message. */
const SAME_NAME = 0xc0_0c;

/** The name and type that a message asks for, and where its question ends. */
function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(message: Buffer, addresses: ReadonlyMap<string, string>): Buffer {
  const { name, type, end } = readQuestion(message);
  const address = addresses.get(name);
  const hasAnswer = address !== undefined && type === TYPE_A;
  const answer = Buffer.from(message.subarray(0, end));
  answer.writeUInt16BE(address === undefined ? NO_SUCH_NAME : FOUND, 2);
  // one question, and no further sections but the answer
  for (const [index, count] of [1, hasAnswer ? 1 : 0, 0, 0].entries()) answer.writeUInt16BE(count, 4 + 2 * index);
  if (!hasAnswer) return answer;
  const record = Buffer.alloc(16);
  record.writeUInt16BE(SAME_NAME, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(1, 6);
  record.writeUInt16BE(4, 10);
  for (const [index, part] of address.split('.').entries()) record.writeUInt8(Number(part), 12 + index);
  return Buffer.concat([answer, record]);
}

/**
 * Answers at port 53 of this address.
 * @param isSilent gives no answer for other names, as where Docker asks the servers of a network that is down
 */
export function serveNames(at: string, isSilent: boolean): Promise<Names> {
  const addresses = new Map<string, string>();
  const socket = createSocket('udp4', (message, { port, address }) => {
    if (!isSilent || addresses.has(readQuestion(message).name)) {
      socket.send(answerTo(message, addresses), port, address);
    }
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(53, at, () =>
      resolve({
        set: (name, address) => void addresses.set(name, address),
        forget: (name) => void addresses.delete(name),
        stop: () => void socket.close(),
      }),
    );
  });
}
