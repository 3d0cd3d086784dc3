import { basename } from 'node:path'

import { messageOf } from '#contract/wire/message-of.ts'
import type { FoundRun, FoundScore } from '#platform/program/import-formats/reading/found-run.ts'
import { transcriptOfAnswer } from '#platform/program/import-formats/reading/chat-turns.ts'
import { isRecord, toName, toWords } from '#platform/program/import-formats/reading/fields.ts'
import { timeOfEpoch } from '#platform/program/import-formats/reading/read-times.ts'
import { foldersThatDiffer } from '#platform/program/import-formats/reading/names-of-files.ts'
import type { Look } from '#platform/program/import-formats/reading/look-at-file.ts'
import { delimiterOf } from '#platform/program/import-formats/reading/read-csv.ts'
import type { ResultFile } from '#platform/program/import-formats/reading/result-files.ts'
import type { Claimed, Reading, ResultFormat } from '#platform/program/import-formats/reading/result-format.ts'
import { shortHash } from '#platform/ground/ids/stable-id.ts'
import { knownOutcome } from '#platform/engine/run-engine/captured-tests/reports/outcome-words.ts'
import { type Columns, mapColumns, saysOutcome } from './columns.ts'
import {
  hasDaysFirst,
  hasDecimalCommas,
  isInOtherCurrency,
  readAmount,
  readDate,
  readDollars,
  readSeconds,
} from './read-amount.ts'
import { readFlatRows } from './read-rows.ts'
import { firstRecords, hasNames, headerOf } from './table-header.ts'

type Row = Record<string, unknown>

/** Any table: CSV, JSON lines, a JSON list or Parquet. Its columns say what they are by their names, or a person says it. */
export const table: ResultFormat = {
  id: 'table',
  recognize(look, _, { columns, isOnly }) {
    if (look.kind === 'parquet') return 0.3
    const header = headerOf(look)
    // Messages of a chat have no outcomes, and a message can be called a result.
    if (header.length < 2 || (!isOnly && columns === undefined && isChat(header))) return 0
    const isWanted = isOnly || columns !== undefined
    return isWanted || (hasNames(header) && saysOutcome(outcomesOf(look, header))) ? 0.2 : 0
  },
  async *read(reading) {
    const folderOf = foldersThatDiffer(
      reading.files.map(({ file }) => file),
      ({ path }) => basename(path),
    )
    const graded: string[] = []
    for (const claimed of reading.files) {
      try {
        yield* runsOf(reading, claimed, { folder: folderOf(claimed.file), graded })
      } catch (error) {
        reading.leaveOut({
          what: 'file',
          file: claimed.file.path,
          reason: messageOf(error),
        })
      }
    }
    for (const file of graded)
      reading.leaveOut({
        what: 'file',
        file,
        reason: 'scores above 1 are no verdict. Choose a column for the outcome if there is one',
        count: 0,
      })
  },
}

/** The columns that most rows have. Lines of a log have other fields each, and one of them can be a result. */
function outcomesOf(look: Look, header: readonly string[]) {
  const records = firstRecords(look)
  const isUsual = (column: string) =>
    records.length === 0 || records.filter((record) => column in record).length * 2 >= records.length
  return new Map([...mapColumns(header)].filter(([, column]) => isUsual(column)))
}

const isChat = (header: readonly string[]) =>
  header.includes('role') && (header.includes('content') || header.includes('message'))

async function* runsOf(
  { leaveOut, options }: Reading,
  { file, look }: Claimed,
  { folder, graded }: { folder: string | null; graded: string[] },
): AsyncGenerator<FoundRun> {
  const table = [...(folder === null ? [] : [folder]), basename(file.path)].join('/')
  const name = folder ?? basename(file.path).replace(/\.[^.]*$/, '')
  const seen = await look()
  const times = new Map<string, number>()
  const hasCommas = seen.kind === 'text' && hasDecimalCommas(seen.start, delimiterOf(seen.start))
  const daysFirst = seen.kind === 'text' ? hasDaysFirst(seen.start) : null
  let foreign = 0
  let columns: Columns | null = null
  let largest: number | null = null
  let number = 0
  let count = 0
  for await (const row of readFlatRows(file, seen, leaveOut)) {
    number += 1
    if (!columns) {
      columns = mapColumns([...new Set([...Object.keys(row), ...headerOf(seen)])], options.columns)
      largest = await largestScore({ file, look: seen, columns, hasCommas })
      if (largest !== null && largest > 1) graded.push(`${file.path} (${scoreColumn(columns)})`)
    }
    if (isInOtherCurrency(row[columns.get('cost') ?? ''])) foreign += 1
    const cells = shortHash(JSON.stringify(row))
    const time = (times.get(cells) ?? 0) + 1
    times.set(cells, time)
    count += 1
    yield {
      batch: { id: `table/${table}/${shortHash(Object.keys(row).join('\0'))}`, file: file.path },
      key: ['table', table, cells, String(time)],
      file: `${file.path}#row ${number}`,
      ...toRun(row, { columns, number, hasCommas, daysFirst, isGraded: largest === null || largest <= 1, name }),
    }
  }
  if (count === 0) leaveOut({ what: 'file', file: file.path, reason: 'the table has no rows' })
  if (foreign > 0) {
    const reason = `${foreign.toLocaleString('en')} costs in other currencies than US dollars were left out`
    leaveOut({ what: 'file', file: file.path, reason, count: 0 })
  }
}

const isScore = (field: string) => field === 'score' || field.startsWith('score:')

/** The column that decides where no other one says the outcome. */
const scoreColumn = (columns: Columns) => [...columns].find(([field]) => isScore(field))?.[1]

type Scored = { file: ResultFile; look: Look; columns: Columns; hasCommas: boolean }

/** The largest score where only scores say how runs ended. Grades from 0 to 100 are no shares, and only all of them show it. */
async function largestScore({ file, look, columns, hasCommas }: Scored) {
  const column = columns.has('outcome') ? undefined : scoreColumn(columns)
  if (column === undefined) return null
  let largest: number | null = null
  for await (const row of readFlatRows(file, look, () => {})) {
    const value = readAmount(row[column], hasCommas)
    if (value !== null && value > (largest ?? -Infinity)) largest = value
  }
  return largest
}

type Place = {
  columns: Columns
  number: number
  name: string
  hasCommas: boolean
  daysFirst: boolean | null
  /** Whether scores are shares of a whole, so that 1 is solved. */
  isGraded: boolean
}

function toRun(row: Row, { columns, number, name, hasCommas, daysFirst, isGraded }: Place) {
  const at = (field: Parameters<Columns['get']>[0]) => {
    const column = columns.get(field)
    return column === undefined ? undefined : row[column]
  }
  const numberAt = (field: Parameters<Columns['get']>[0]) => readAmount(at(field), hasCommas)
  const scores = [...columns.keys()].filter(isScore).flatMap((field): FoundScore[] => {
    const value = numberAt(field)
    return value === null ? [] : [{ name: field === 'score' ? (columns.get(field) ?? field) : field.slice(6), value }]
  })
  const outcome = toOutcome(at('outcome'))
  const reason = toName(at('reason'))
  const milliseconds = numberAt('milliseconds')
  const repeat = numberAt('repeat')
  const decides =
    outcome ??
    (scores[0] && isGraded ? ((scores[0].value ?? 0) >= 1 ? ('passed' as const) : ('failed' as const)) : null)
  const [text, output] = [toWords(at('promptText')), toWords(at('output'))]
  return {
    agent: toName(at('agent')) ?? name,
    model: toName(at('model')),
    prompt: toName(at('prompt'))?.slice(0, 500) ?? (text.slice(0, 100) || `row ${number}`),
    promptText: text || toName(at('prompt')),
    repeat: repeat !== null && Number.isInteger(repeat) && repeat > 0 ? repeat : null,
    status: outcome === 'errored' ? ('errored' as const) : ('completed' as const),
    reason,
    ...(decides === null
      ? { solved: null }
      : { tests: [{ name: columns.get('outcome') ?? 'outcome', outcome: decides, message: reason ?? '' }] }),
    scores,
    costUsd: readDollars(at('cost'), hasCommas),
    ...tokensOf(numberAt('inputTokens'), numberAt('outputTokens')),
    wallSeconds: readSeconds(at('seconds'), hasCommas) ?? (milliseconds === null ? undefined : milliseconds / 1000),
    startedAt: timeAt(at('startedAt'), daysFirst),
    endedAt: timeAt(at('endedAt'), daysFirst),
    transcript: transcriptOfAnswer(output, text),
  }
}

/** Programs that count no tokens write zeros. */
const tokensOf = (inputTokens: number | null, outputTokens: number | null) =>
  (inputTokens ?? 0) + (outputTokens ?? 0) === 0 ? {} : { inputTokens, outputTokens }

const timeAt = (value: unknown, daysFirst: boolean | null) =>
  value instanceof Date
    ? value.toISOString()
    : (timeOfEpoch(typeof value === 'string' && /^\d{10,13}(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value) ??
      readDate(value, daysFirst))

/** Spreadsheets write truth in the language of their user. */
const solvedWords =
  /^(?:true|yes|y|1|1\.0+|solved|resolved|correct|success(?:ful)?|ok|c|wahr|ja|vrai|oui|verdadero|vero|[✓✔✅☑]\uFE0F?)$/iu
const unsolvedWords =
  /^(?:false|no|n|0|0\.0+|unsolved|unresolved|incorrect|wrong|failure|i|falsch|nein|faux|non|falso|[✗✘❌☒]\uFE0F?)$/iu

/** The outcome that a cell says; null for an empty one. A word that nobody knows is unresolved, never passed. */
function toOutcome(value: unknown) {
  const word = isRecord(value) ? '' : toWords(value).trim()
  if (word === '') return null
  if (solvedWords.test(word)) return 'passed' as const
  if (unsolvedWords.test(word)) return 'failed' as const
  const number = readAmount(word, false)
  if (number !== null && number >= 0 && number <= 1) return number === 1 ? ('passed' as const) : ('failed' as const)
  return knownOutcome(word) ?? ('unresolved' as const)
}
