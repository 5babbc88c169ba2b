/** @returns the processor time of all threads of this process since this call, in milliseconds; a busy machine adds none */
export function startProcessorTime(): () => number {
  const began = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1_000;
  };
}
