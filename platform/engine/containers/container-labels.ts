/** Whom a container belongs to. `workRoot` and `workFolder` are those of its worker on this machine. */
export type ContainerOwner = { workRoot: string; workFolder: string; run: string; attempt: string; deadline: Date }

const prefix = 'assay.'
/** Of the names of containers. An image can have our labels, but cannot name a container. */
export const namePrefix = 'assay-'
/** Of the copies of images in which everything belongs to root. */
export const preparedName = 'localhost/assay-prepared'

export const workRootLabel = `${prefix}work-root`
const names = {
  workFolder: `${prefix}worker`,
  run: `${prefix}run`,
  attempt: `${prefix}attempt`,
  deadline: `${prefix}deadline`,
}

export const toLabels = ({ workRoot, workFolder, run, attempt, deadline }: ContainerOwner) => ({
  [workRootLabel]: workRoot,
  [names.workFolder]: workFolder,
  [names.run]: run,
  [names.attempt]: attempt,
  [names.deadline]: deadline.toISOString(),
})

/** Returns null for a container that is not ours, or whose labels are damaged. */
export function readLabels(labels: Readonly<Record<string, string>>): ContainerOwner | null {
  const workRoot = labels[workRootLabel]
  const workFolder = labels[names.workFolder]
  const deadline = new Date(labels[names.deadline] ?? '')
  if (workRoot === undefined || workFolder === undefined || Number.isNaN(deadline.getTime())) return null
  return { workRoot, workFolder, run: labels[names.run] ?? '', attempt: labels[names.attempt] ?? '', deadline }
}

type Situation = { workRoot: string; now: Date; isWorkerAlive: (workFolder: string) => boolean }

/**
 * Whether a container is to be removed. Containers of this installation go when their worker has ended, containers of
 * any installation on this engine when their deadline has passed. A container without our labels always stays.
 */
export function isAbandoned(owner: ContainerOwner | null, { workRoot, now, isWorkerAlive }: Situation): boolean {
  if (owner === null) return false
  if (owner.deadline < now) return true
  return owner.workRoot === workRoot && !isWorkerAlive(owner.workFolder)
}
