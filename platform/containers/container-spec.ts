import type { ProcessLimits } from '#platform/run-engine/sandbox/limits.ts'
import type { RunFolders } from '#platform/run-engine/sandbox/sandbox.ts'

/**
 * The user of a container's first process. Commands have the image's user, so that they can neither signal nor trace
 * the process that ends the container.
 */
const keeper = 60_598

/** An image whose user has the same id gets another one. */
export const keeperOf = ({ uid }: { uid: number }) => (uid === keeper ? keeper - 1 : keeper)

/**
 * Ends the container at its deadline, or when the worker's connection to its input closes: the kernel closes that even
 * after `kill -9`. Also collects processes whose parents have ended. Only the shell's own child can signal it.
 */
const keepScript = `
trap 'exit 0' TERM
exec 3<&0
(sleep "$1"; kill -TERM 1) &
(read -r line <&3; kill -TERM 1) &
while :; do wait; done`

/** The most open files and processes that this machine may give; null if it does not say. */
type MachineLimits = { openFiles: number | null; userProcesses: number | null }

export type ContainerLimits = ProcessLimits &
  MachineLimits & {
    /** Processors of a run; 0 means no limit. */
    cpus: number
  }

export type ContainerNeeds = {
  image: string
  /** The user of its commands. */
  user: { uid: number; gid: number }
  labels: Readonly<Record<string, string>>
  seconds: number
  folders: RunFolders
  inside: RunFolders
  limits: ContainerLimits
  /** The filter of system calls as the engine reads it: itself, or the path of its file. */
  filter: string
}

const shmBytes = 1024 ** 3

/** What the engine is asked to create for one run. */
export function containerSpec({ image, user, labels, seconds, folders, inside, limits, filter }: ContainerNeeds) {
  const { memoryMb, processes, diskMb, cpus } = limits
  return {
    Image: image,
    Labels: labels,
    Entrypoint: ['sh', '-c', keepScript, 'sh'],
    Cmd: [String(seconds)],
    User: `${keeperOf(user)}:${keeperOf(user)}`,
    WorkingDir: '/',
    Hostname: 'assay',
    // The engine would start the image's own check beside the run.
    Healthcheck: { Test: ['NONE'] },
    AttachStdin: true,
    OpenStdin: true,
    StdinOnce: true,
    HostConfig: {
      ...isolation(filter, limits),
      AutoRemove: true,
      Mounts: [mount(folders.workspace, inside.workspace), mount(folders.home, inside.home)],
      ShmSize: shmBytes,
      ...(memoryMb > 0 && { Memory: memoryMb * 1024 ** 2, MemorySwap: memoryMb * 1024 ** 2 }),
      ...(processes > 0 && { PidsLimit: processes }),
      ...(cpus > 0 && { NanoCpus: Math.round(cpus * 1e9) }),
      Ulimits: [...machineLimits(limits), ...limit('fsize', diskMb * 1024 ** 2)],
    },
  }
}

/** What no container of ours may have, whatever its image and its run say. */
export const isolation = (filter: string, limits: MachineLimits) => ({
  NetworkMode: 'none',
  IpcMode: 'private',
  Privileged: false,
  CapDrop: ['ALL'],
  SecurityOpt: ['no-new-privileges', `seccomp=${filter}`],
  RestartPolicy: { Name: '' },
  LogConfig: { Type: 'none', Config: {} },
  Ulimits: machineLimits(limits),
})

const limit = (Name: string, value: number | null) =>
  value === null || value === 0 ? [] : [{ Name, Soft: value, Hard: value }]

/** An engine that may not raise limits refuses containers with more than its own, and Podman's default is more. */
const machineLimits = ({ openFiles, userProcesses }: MachineLimits) => [
  ...limit('nofile', openFiles),
  ...limit('nproc', userProcesses),
]

const mount = (Source: string, Target: string) => ({ Type: 'bind', Source, Target, ReadOnly: false })
