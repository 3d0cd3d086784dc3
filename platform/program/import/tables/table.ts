import { basename } from 'node:path'

import type { FoundRun, FoundScore } from '#platform/program/import/reading/found-run.ts'
import { turn } from '#platform/program/import/reading/chat-turns.ts'
import { isRecord, toName, toNumber, toWords } from '#platform/program/import/reading/fields.ts'
import { timeOfEpoch } from '#platform/program/import/reading/read-times.ts'
import type { Claimed, Reading, ResultFormat } from '#platform/program/import/reading/result-format.ts'
import { shortHash } from '#platform/ground/ids/stable-id.ts'
import { knownOutcome } from '#platform/engine/run-engine/tests/reports/outcome-words.ts'
import { type Columns, mapColumns, saysOutcome } from './columns.ts'
import { readRows } from './read-rows.ts'
import { hasNames, headerOf } from './table-header.ts'

type Row = Record<string, unknown>

/** Any table: CSV, JSON lines, a JSON list or Parquet. Its columns say what they are by their names, or a person says it. */
export const table: ResultFormat = {
  id: 'table',
  recognize(look, _, { columns, isOnly }) {
    if (look.kind === 'parquet') return 0.3
    const header = headerOf(look)
    if (header.length < 2) return 0
    const isWanted = isOnly || columns !== undefined
    return isWanted || (hasNames(header) && saysOutcome(mapColumns(header))) ? 0.2 : 0
  },
  async *read(reading) {
    for (const claimed of reading.files) {
      try {
        yield* runsOf(reading, claimed)
      } catch (error) {
        reading.leaveOut({
          what: 'file',
          file: claimed.file.path,
          reason: error instanceof Error ? error.message : String(error),
        })
      }
    }
  },
}

async function* runsOf({ leaveOut, options }: Reading, { file, look }: Claimed): AsyncGenerator<FoundRun> {
  const seen = await look()
  const times = new Map<string, number>()
  let columns: Columns | null = null
  let number = 0
  let count = 0
  for await (const row of readRows(file, seen, leaveOut)) {
    number += 1
    columns ??= mapColumns([...new Set([...Object.keys(row), ...headerOf(seen)])], options.columns)
    const cells = shortHash(JSON.stringify(row))
    const time = (times.get(cells) ?? 0) + 1
    times.set(cells, time)
    count += 1
    yield {
      batch: { id: `table/${basename(file.path)}/${shortHash(Object.keys(row).join('\0'))}`, file: file.path },
      key: ['table', basename(file.path), cells, String(time)],
      file: `${file.path}#row ${number}`,
      ...toRun(row, { columns, number, name: basename(file.path).replace(/\.[^.]*$/, '') }),
    }
  }
  if (count === 0) leaveOut({ what: 'file', file: file.path, reason: 'the table has no rows' })
}

function toRun(row: Row, { columns, number, name }: { columns: Columns; number: number; name: string }) {
  const at = (field: Parameters<Columns['get']>[0]) => {
    const column = columns.get(field)
    return column === undefined ? undefined : row[column]
  }
  const numberAt = (field: Parameters<Columns['get']>[0]) => toNumber(at(field))
  const scores = [...columns.keys()]
    .filter((field) => field === 'score' || field.startsWith('score:'))
    .flatMap((field): FoundScore[] => {
      const value = numberAt(field)
      return value === null ? [] : [{ name: field === 'score' ? (columns.get(field) ?? field) : field.slice(6), value }]
    })
  const outcome = toOutcome(at('outcome'))
  const reason = toName(at('reason'))
  const milliseconds = numberAt('milliseconds')
  const repeat = numberAt('repeat')
  const decides =
    outcome ?? (scores[0] ? ((scores[0].value ?? 0) >= 1 ? ('passed' as const) : ('failed' as const)) : null)
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
    costUsd: toNumber(toWords(at('cost')).replace(/^\s*\$/, '')),
    inputTokens: numberAt('inputTokens'),
    outputTokens: numberAt('outputTokens'),
    wallSeconds: numberAt('seconds') ?? (milliseconds === null ? undefined : milliseconds / 1000),
    startedAt: timeAt(at('startedAt')),
    endedAt: timeAt(at('endedAt')),
    transcript:
      output === ''
        ? null
        : () =>
            Promise.resolve({
              turns: [
                ...(text === '' ? [] : [turn({ role: 'user' as const, kind: 'message' as const, text })]),
                turn({ role: 'assistant' as const, kind: 'message' as const, text: output }),
              ],
            }),
  }
}

const timeAt = (value: unknown) => (value instanceof Date ? value.toISOString() : (timeOfEpoch(value) ?? toName(value)))

const solvedWords = /^(?:true|yes|y|1|1\.0+|solved|resolved|correct|success(?:ful)?|ok|c)$/i
const unsolvedWords = /^(?:false|no|n|0|0\.0+|unsolved|unresolved|incorrect|wrong|failure|i)$/i

/** The outcome that a cell says; null for an empty one. A word that nobody knows is unresolved, never passed. */
function toOutcome(value: unknown) {
  const word = isRecord(value) ? '' : toWords(value).trim()
  if (word === '') return null
  if (solvedWords.test(word)) return 'passed' as const
  if (unsolvedWords.test(word)) return 'failed' as const
  const number = toNumber(word)
  if (number !== null) return number >= 1 ? ('passed' as const) : ('failed' as const)
  return knownOutcome(word) ?? ('unresolved' as const)
}
