import { readFile } from 'node:fs/promises'

const millisecondsPerTick = 10
const pageBytes = 4096

/** Returns the processor time and memory of a process; null where there is no /proc, or if the process has ended. */
export async function readUsage(pid: number | undefined) {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null)
  // The name of the program comes first, in parentheses, and may contain anything.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (!fields) return null
  const [user, system, pages] = [fields[11], fields[12], fields[21]].map(Number)
  return {
    processorMs: ((user ?? 0) + (system ?? 0)) * millisecondsPerTick,
    residentMb: ((pages ?? 0) * pageBytes) / 1024 ** 2,
  }
}
