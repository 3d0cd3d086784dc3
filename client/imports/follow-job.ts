import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

import { z } from 'zod'

import { counted } from '#contract/wire/counted.ts'
import { CommandError, exitCodes } from '#client/exit-codes.ts'
import type { Verb, Work } from '#client/work.ts'
import { findFiles, type LocalFile } from './find-files.ts'
import { importFiles, type ImportOptions } from './import-paths.ts'

const pollMs = 3000
/** Files of one import while a job runs. The rest comes with the next one. */
const maxTrials = 200

const EndedTrial = z.object({ trial_name: z.string(), finished_at: z.string() })
const Job = z.object({ n_total_trials: z.number(), finished_at: z.string().nullish() })

/**
 * Watches the folder of a job of Harbor, and imports each trial once it has ended, until the job has. The server knows the runs
 * that it has, so a second start imports no run twice.
 */
export const followJob =
  (paths: readonly string[], options: ImportOptions): Verb =>
  async (work) => {
    const [folder, ...more] = paths
    if (folder === undefined || more.length > 0) throw new CommandError('--follow watches one folder')
    const caller = await work.api()
    const stop = watchForStop(work)
    const sent = new Set<string>()
    let seen = new Map<string, string>()
    let imported = 0
    const into = { ...options, experiment: options.experiment ?? toId(folder) }
    try {
      for (;;) {
        const { trials, isEnded } = await findTrials(work.io.folder, folder)
        const left = trials.filter(({ key }) => !sent.has(key))
        // A folder that changed since the last look is still being written.
        const ended = left.filter(({ key, sizes }) => seen.get(key) === sizes).slice(0, maxTrials)
        seen = new Map(left.map(({ key, sizes }) => [key, sizes]))
        if (ended.length > 0) {
          const files = [...new Map(ended.flatMap(({ files }) => files).map((file) => [file.path, file])).values()]
          const { result } = await importFiles(work, caller, files, into)
          for (const { key } of ended) sent.add(key)
          imported += result?.imported ?? 0
          work.note(
            `${counted(sent.size, 'trial')} ended, ${counted(imported, 'run')} imported into ${into.experiment}`,
          )
        } else if (isEnded && left.length === 0) break
        if (stop.signal.aborted) return exitCodes.interrupted
        if (ended.length < maxTrials) await work.io.wait(pollMs, stop.signal).catch(() => {})
      }
    } finally {
      stop.end()
    }
    work.show(
      { experimentId: into.experiment, trials: sent.size, imported },
      `The job has ended. Imported ${counted(imported, 'run')} of ${counted(sent.size, 'trial')} into ${into.experiment}`,
    )
    return exitCodes.done
  }

function watchForStop({ io }: Work) {
  const stop = new AbortController()
  const end = io.onInterrupt(() => stop.abort())
  return { signal: stop.signal, end }
}

type Trial = { key: string; files: LocalFile[]; sizes: string }

/** The trials that have ended, each with its files and with those of its job. A file that is being written is read later. */
async function findTrials(root: string, folder: string): Promise<{ trials: Trial[]; isEnded: boolean }> {
  const files = await findFiles(root, folder)
  const trials: Trial[] = []
  const jobs: boolean[] = []
  const below = (file: LocalFile) => files.filter(({ path }) => path.startsWith(`${dirname(file.path)}/`))
  for (const file of files.filter(({ path }) => basename(path) === 'result.json')) {
    const document = await readJson(file)
    const job = Job.safeParse(document)
    if (job.success) jobs.push(job.data.finished_at != null)
    else if (EndedTrial.safeParse(document).success) {
      const own = below(file)
      const config = `${dirname(dirname(file.path))}/config.json`
      const sizes = own.map(({ path, size }) => `${path} ${size}`).join('\n')
      trials.push({ key: file.path, files: [...own, ...files.filter(({ path }) => path === config)], sizes })
    }
  }
  return { trials, isEnded: jobs.length > 0 && jobs.every(Boolean) }
}

async function readJson({ place }: LocalFile): Promise<unknown> {
  try {
    return JSON.parse(await readFile(place, 'utf8'))
  } catch {
    return null
  }
}

const toId = (folder: string) =>
  (
    basename(folder)
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? ['harbor-job']
  )
    .join('-')
    .slice(0, 60)
    .replace(/-$/, '')
