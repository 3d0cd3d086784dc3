import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'

import type { Response } from 'undici'

import { exportExperiment } from '#contract/experiment-archive.ts'
import { ExportFormat, exportRuns, totalHeader } from '#contract/run-export.ts'
import { counted } from '#contract/wire/counted.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'
import { CommandError } from '#client/exit-codes.ts'
import type { Verb } from '#client/work.ts'
import { countRows } from '#src/api/rows-of-file.ts'

/** Runs as rows of a table, or a whole experiment as an archive. */
export const exportFormats = [...ExportFormat.options, 'archive'] as const

export type ExportOptions = {
  format: (typeof exportFormats)[number]
  output: string
  experiment?: string
  request?: string
  status?: string[]
}

/** Downloads a whole file or none: it has its name only once every announced row is there. */
export const exportTo =
  ({ format, output, experiment, request, status }: ExportOptions): Verb =>
  async ({ io, api, show }) => {
    const answer = await startDownload(await api(), { format, experiment, request, status })
    const total = Number(answer.headers.get(totalHeader))
    const counter = countRows(answer.headers.get('content-type') ?? '')
    async function* counting() {
      for await (const part of answer.body ?? []) {
        counter?.push(part as Uint8Array)
        yield part as Uint8Array
      }
    }
    const path = resolve(io.folder, output)
    const next = `${path}.part`
    try {
      await pipeline(counting, createWriteStream(next))
      if (counter && counter.rows() !== total)
        throw new CommandError(`The connection was cut after ${counter.rows()} of ${counted(total, 'row')}. Try again`)
      await rename(next, path)
    } catch (error) {
      await rm(next, { force: true })
      throw error
    }
    show({ file: output, format, runs: total }, `Wrote ${counted(total, 'run')} to ${output}`)
  }

function startDownload(
  caller: ApiCaller,
  { format, experiment, request, status }: Omit<ExportOptions, 'output'>,
): Promise<Response> {
  if (format === 'archive') {
    if (experiment === undefined) throw new CommandError('An archive needs --experiment')
    if (request !== undefined || status)
      throw new CommandError('An archive has all runs of an experiment that have ended')
    return caller.download(exportExperiment, { id: experiment })
  }
  return caller.download(exportRuns, {
    format,
    ...(experiment !== undefined && { experimentId: experiment }),
    ...(request !== undefined && { runRequestId: request }),
    ...(status && { status }),
  })
}
