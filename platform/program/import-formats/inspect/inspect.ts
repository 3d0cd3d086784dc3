import { messageOf } from '#contract/wire/message-of.ts'
import type { FoundRun } from '#platform/program/import-formats/reading/found-run.ts'
import { field, has, isRecord, toList, toName } from '#platform/program/import-formats/reading/fields.ts'
import { withoutNaN } from '#platform/program/import-formats/reading/look-at-file.ts'
import { limitsOfFiles, type ResultFile, toText } from '#platform/program/import-formats/reading/result-files.ts'
import type { Claimed, Reading, ResultFormat } from '#platform/program/import-formats/reading/result-format.ts'
import { openZip, type ZipEntry } from '#platform/program/import-formats/reading/zip.ts'
import { toFoundRun } from './sample-to-run.ts'

type Log = Record<string, unknown>

const isLog = (document: unknown): document is Log =>
  has(document, 'eval') &&
  has(field(document, 'eval'), 'task', 'model') &&
  (has(document, 'samples') || has(document, 'status'))

const headers = ['header.json', '_journal/start.json']

/** Logs of Inspect: a zip with a file per sample, or one JSON document. */
export const inspect: ResultFormat = {
  id: 'inspect',
  recognize(look) {
    if (look.kind === 'json') return isLog(look.document) ? 1 : 0
    if (look.kind !== 'zip') return 0
    const { names } = look
    return headers.some((name) => names.includes(name)) ? 1 : 0
  },
  async *read(reading) {
    for (const claimed of reading.files) {
      try {
        yield* readLog(reading, claimed)
      } catch (error) {
        reading.leaveOut({
          what: 'file',
          file: claimed.file.path,
          reason: messageOf(error),
        })
      }
    }
  },
}

async function* readLog(reading: Reading, { file, look }: Claimed): AsyncGenerator<FoundRun> {
  const seen = await look()
  if (seen.kind === 'unread') throw new Error(seen.reason)
  if (seen.kind === 'json' && isLog(seen.document)) {
    const { samples, ...log } = seen.document
    yield* runsOf(reading, { file, log, samples: toList(samples) })
    return
  }
  const { entries, close } = await openZip(`${file.root}/${file.inside}`)
  try {
    const byName = new Map(entries.map((entry) => [entry.name, entry]))
    const header = headers.map((name) => byName.get(name)).find((entry) => entry !== undefined)
    const log = header && (await readEntry(header))
    if (!isRecord(log)) throw new Error('its header is missing')
    // A sample that was tried again is there twice, and the last one counts.
    // Ids can have slashes.
    const ofSamples = [...byName.values()].filter(({ name }) => /^samples\/.+\.json$/.test(name))
    const summaries = ofSamples.length === 0 ? byName.get('summaries.json') : undefined
    const samples = summaries ? toList(await readEntry(summaries)) : readSamples(reading, file, ofSamples)
    yield* runsOf(reading, { file, log, samples })
  } finally {
    await close()
  }
}

const readEntry = async (entry: ZipEntry): Promise<unknown> =>
  JSON.parse(withoutNaN(toText(await entry.read(limitsOfFiles.documentBytes))))

async function* readSamples({ leaveOut }: Reading, file: ResultFile, entries: readonly ZipEntry[]) {
  for (const entry of entries) {
    try {
      yield await readEntry(entry)
    } catch (error) {
      const reason = messageOf(error)
      leaveOut({ what: 'trial', file: `${file.path}#${entry.name}`, reason })
    }
  }
}

type Samples = AsyncIterable<unknown> | Iterable<unknown>

async function* runsOf(
  { leaveOut }: Reading,
  { file, log, samples }: { file: ResultFile; log: Log; samples: Samples },
) {
  let count = 0
  for await (const sample of samples) {
    if (!isRecord(sample)) continue
    count += 1
    yield toFoundRun(file, log, sample)
  }
  const announced = Number(field(log, 'results', 'total_samples') ?? 0)
  const status = toName(log.status) ?? 'started'
  const error = toName(field(log, 'error', 'message'))
  const why = status === 'success' ? '' : `, and its status is ${status}${error ? `: ${error.slice(0, 300)}` : ''}`
  const totals = announced > 0 ? `, only the totals of ${announced}` : ''
  if (count === 0) leaveOut({ what: 'file', file: file.path, reason: `it has no samples${totals}${why}` })
  else if (announced > count)
    leaveOut({
      what: 'trial',
      file: file.path,
      reason: `it counts ${announced} samples, and it has ${count}${why}`,
      count: announced - count,
    })
}
