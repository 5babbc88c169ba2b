/** Recordings by Tacview of 100 and 300 MB, read in the thread: `npm run bench -- recording`. Prints seconds and memory. */
import { crc32, deflateRawSync } from 'node:zlib';
import { createMissionFileReader } from '#server/missions/mission-file/mission-file-thread.ts';
import { writeZip } from '#tests/harness/mission-file.ts';
import { startProcessorTime } from '#tests/harness/processor-time.ts';

const MB = 1024 * 1024;

/** 60 aircraft with pilots and 400 other objects, of which every frame moves all. */
function* frames(bytes: number): Generator<Buffer> {
  const pilots = Array.from({ length: 60 }, (_one, index) => (0x101 + index).toString(16));
  const others = Array.from({ length: 400 }, (_one, index) => (0x2001 + index).toString(16));
  const enter = pilots.map(
    (id) => `${id},T=1|2|3,Type=Air+FixedWing,Name=F-16C_50,Pilot=Pilot ${id},Group=Viper ${id},Color=Blue`,
  );
  const head = [
    'FileType=text/acmi/tacview',
    'FileVersion=2.2',
    '0,RecordingTime=2026-11-21T19:00:00Z',
    '#0',
    ...enter,
  ];
  let written = 0;
  for (let frame = 0; written < bytes; frame += 1) {
    const at = (frame / 10).toFixed(2);
    const moved = [...pilots, ...others].map((id) => `${id},T=${at}123|4.5678901|${at}|1.2|3.4|56.7`);
    const text = Buffer.from(`${[...(frame === 0 ? head : []), `#${at}`, ...moved].join('\n')}\n`);
    written += text.length;
    yield text;
  }
}

/** Shared between threads, as uploads are. */
function shared(file: Buffer): Uint8Array {
  const memory = new Uint8Array(new SharedArrayBuffer(file.length));
  memory.set(file);
  return memory;
}

const reader = createMissionFileReader();
for (const [name, bytes, isZip] of [
  ['100 MB of text', 100 * MB, false],
  ['300 MB in a zip archive', 299 * MB, true],
] as const) {
  const text = Buffer.concat([...frames(bytes)]);
  const declared = { method: 8, crc: crc32(text), unpacked: text.length };
  const file = shared(
    isZip ? writeZip([{ name: 'op.txt.acmi', content: deflateRawSync(text), declared }]) : text.subarray(0, bytes),
  );
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  const [spent, began] = [startProcessorTime(), performance.now()];
  const { aboard } = await reader.readRecording(file);
  clearInterval(watch);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const more = Math.round((most - before) / MB);
  console.log(
    `${name} (${Math.round(file.length / MB)} MB sent): ${seconds} s, ${(spent() / 1000).toFixed(1)} s of processor time, ${more} MB more memory, ${aboard.length} times aboard`,
  );
}
await reader.stop();
