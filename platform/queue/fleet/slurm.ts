import { runProgram } from './run-program.ts'
import { jobScript, type WorkerJob } from './job-script.ts'

export type Job = {
  id: string
  /** Such as `RUNNING`, as Slurm spells it. */
  state: string
  /** Why it does not run, such as `Resources`. */
  reason: string
  /** The nodes that it runs on, or an empty text. */
  node: string
  /** Whether the worker stays without work, because the fleet has a floor. */
  stays: boolean
}

type Submission = { count: number; stays: boolean }

export type Slurm = ReturnType<typeof openSlurm>

/** Slurm keeps ended jobs in its list for minutes (MinJobAge), which shows those that failed. */
const states = 'all'
const separator = '|'

/** Slurm's programs take defaults from the environment, which could hide jobs of the fleet. */
const withoutDefaults = (environment: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(SQUEUE|SBATCH)_/.test(name)))

type Options = {
  job: WorkerJob
  /** The environment of the programs. Workers inherit it, so no secret is on a command line or in a job script. */
  environment: NodeJS.ProcessEnv
  timeoutMs: number
  signal: AbortSignal
}

/** Slurm's own programs. The names of the fleet's jobs are how it finds them after a restart. */
export function openSlurm({ job, environment, timeoutMs, signal }: Options) {
  const call = { timeoutMs, signal, env: withoutDefaults(environment) }
  const jobName = (stays: boolean) => (stays ? `${job.name}-floor` : job.name)
  return {
    async list(): Promise<Job[]> {
      const names = [jobName(false), jobName(true)]
      const format = ['%i', '%j', '%T', '%r', '%N'].join(separator)
      const user = process.getuid?.() ?? 0
      const which = [`--user=${user}`, `--name=${names.join(',')}`, `--states=${states}`]
      const output = await runProgram('squeue', ['--noheader', '--array', ...which, `--format=${format}`], call)
      return output.split('\n').flatMap((line) => {
        const [id = '', name = '', state = '', reason = '', node = ''] = line.trim().split(separator)
        // A fleet must never count a job of others, even if a site's wrapper ignores the filter.
        return names.includes(name) ? [{ id, state, reason, node, stays: name === jobName(true) }] : []
      })
    },

    /** Submits workers as one array and returns its id. */
    async submit({ count, stays }: Submission): Promise<string> {
      const ours = ['--parsable', `--job-name=${jobName(stays)}`, `--array=1-${count}`]
      const output = await runProgram('sbatch', [...job.options, ...ours], {
        ...call,
        input: jobScript(job, { stays }),
      })
      // On a cluster of several, the name of the cluster follows.
      return output.trim().split(';')[0] ?? ''
    },
  }
}
