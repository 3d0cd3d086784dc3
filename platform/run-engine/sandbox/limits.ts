import { existsSync } from 'node:fs'

/** 0 means no limit. */
export type ProcessLimits = {
  /** What each process of a run may allocate; what several do together only a container or a cgroup can limit. */
  memoryMb: number
  /** Processes and threads of a run. The kernel does not apply it to root: there a watch kills the run within seconds. */
  processes: number
  /** What a run may have on the disk, and its largest file. */
  diskMb: number
}

const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path))

/** Only the service's user can read what the service creates; files of a run have the usual modes. */
const ordinaryUmask = ['/bin/sh', '-c', 'umask 022; exec "$@"', 'sh']

/** The command below its limits, set by util-linux's prlimit; where that is missing there are none. */
export function withLimits(argv: readonly string[], limits: ProcessLimits | undefined): readonly string[] {
  if (!limits || !prlimit) return argv
  const settings = [
    // Allocated data, not address space: runtimes reserve far more of that than they use.
    ...(limits.memoryMb > 0 ? [`--data=${limits.memoryMb * 1024 ** 2}`] : []),
    ...(limits.processes > 0 ? [`--nproc=${limits.processes}`] : []),
    ...(limits.diskMb > 0 ? [`--fsize=${limits.diskMb * 1024 ** 2}`] : []),
  ]
  return settings.length === 0 ? argv : [...ordinaryUmask, prlimit, ...settings, '--', ...argv]
}

/** Why a command below its limits never ran: then prlimit's own complaint is all that was said. */
export const whyNotExecuted = (stderr: string) => /^prlimit: (failed to execute .+)\n$/.exec(stderr)?.[1] ?? null
