export type WorkerJob = {
  /** Slurm's name of the job, which no other fleet of this user may have. */
  name: string
  /** The options of `sbatch`, without those by which the fleet finds its jobs. */
  options: readonly string[]
  /** How a node starts a worker, in the words of a shell, without options. */
  command: string
  drainSeconds: number
  idleSeconds: number
}

/** Quotes words for a shell. */
export const shellWords = (words: readonly string[]) =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll(`'`, `'\\''`)}'`)).join(' ')

/** The script of a worker. It ends as the worker itself, because Slurm sends the signal before the time limit only to it. */
export function jobScript({ command, drainSeconds, idleSeconds }: WorkerJob, { stays }: { stays: boolean }) {
  const ending = stays ? '' : ` --exit-when-idle ${idleSeconds}`
  return `#!/bin/sh\nexec ${command} --drain-seconds ${drainSeconds}${ending}\n`
}

type Choices = {
  slots: number
  logFolder: string
  drainSeconds: number
  partition?: string | undefined
  account?: string | undefined
  time?: string | undefined
  /** Further options of `sbatch`. They win over those before them. */
  sbatch: readonly string[]
}

/** Slurm sends its signal up to a minute before the time that was asked for, and kills the job at its limit. */
const spareSeconds = 30

export const sbatchOptions = ({ slots, logFolder, drainSeconds, partition, account, time, sbatch }: Choices) => [
  '--export=ALL',
  '--requeue',
  '--open-mode=append',
  `--cpus-per-task=${slots}`,
  `--output=${logFolder.replaceAll('%', '%%')}/%x-%A_%a.log`,
  `--signal=B:TERM@${drainSeconds + spareSeconds}`,
  ...(partition === undefined ? [] : [`--partition=${partition}`]),
  ...(account === undefined ? [] : [`--account=${account}`]),
  ...(time === undefined ? [] : [`--time=${time}`]),
  ...sbatch,
]
