import { existsSync } from 'node:fs'

/** 0 means no limit. */
export type ProcessLimits = {
  /** MiB that each process of a run can allocate. Only a container or a cgroup can limit their sum. */
  memoryMb: number
  /** Processes and threads of a run. The kernel does not limit root; there, a watch kills the run within seconds. */
  processes: number
  /** MiB that a run can write to the disk, and the size of its largest file. */
  diskMb: number
}

export const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path))

/** The service creates files that only its own user can read; files of a run have the usual modes. */
const ordinaryStart = (handle: number) => ['/bin/sh', '-c', `umask 022; exec "$@" ${handle}<&-`, 'sh']

/**
 * Returns the command with its limits, set by util-linux's prlimit, and without the handle of its user namespace. Without
 * prlimit there are no limits.
 */
export function withLimits(
  argv: readonly string[],
  { limits, handle }: { limits: ProcessLimits | undefined; handle: number },
): readonly string[] {
  if (!prlimit) return argv
  const { memoryMb = 0, processes = 0, diskMb = 0 } = limits ?? {}
  const settings = [
    // Limits allocated data and not address space, because runtimes reserve far more address space than they use.
    ...(memoryMb > 0 ? [`--data=${memoryMb * 1024 ** 2}`] : []),
    ...(processes > 0 ? [`--nproc=${processes}`] : []),
    ...(diskMb > 0 ? [`--fsize=${diskMb * 1024 ** 2}`] : []),
  ]
  return [...ordinaryStart(handle), prlimit, ...settings, '--', ...argv]
}

/** Returns why a command with limits never ran, or null. In that case prlimit's message is the only output. */
export const whyNotExecuted = (stderr: string) => /^prlimit: (failed to execute .+)\n$/.exec(stderr)?.[1] ?? null
