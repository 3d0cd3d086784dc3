/** The milliseconds of processor time that this thread spends until `work` has ended. Other processes do not count. */
export async function threadMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** The least of a few times, because a first time compiles and a collection of garbage can come at any time. */
export async function leastThreadMs(work: () => unknown, times = 4): Promise<number> {
  const all: number[] = []
  for (let time = 0; time < times; time += 1) all.push(await threadMs(work))
  return Math.min(...all)
}
