import type { ErrorIssue } from '#contract/errors.ts'
import { StatementRefused } from '#platform/analytics/analytics.ts'
import { columnsOf, dataSchema } from '#platform/analytics/schema.ts'
import { type Failure, invalid } from '#platform/failure.ts'
import { readTokens } from './tokens.ts'

const syntaxError = 62
const unknownTable = 60
const unsupportedMethod = 1

/** A refusal that points into the user's text; `start` is an index of it. */
export function refuseSql(message: string, sql: string, start?: number): Failure {
  const issue: ErrorIssue = { path: 'sql', message, ...(start !== undefined && placeOf(sql, start)) }
  return invalid(message, [issue])
}

/** As refuseSql, at the first place where the text names `name`, if it does. */
export const refuseName = (message: string, sql: string, name: string | undefined): Failure =>
  refuseSql(message, sql, name === undefined ? undefined : findName(sql, name))

/** What to throw for an error of reading: the engine's words about the statement become a refusal the user can act on. */
export function toQueryFailure(error: unknown, sql: string): unknown {
  if (!(error instanceof StatementRefused)) return error
  if (error.code === syntaxError) return toSyntaxFailure(error.message, sql)
  if (error.code === unsupportedMethod && /\bFINAL\b/.test(error.message))
    return refuseName('Leave FINAL out: the tables hold each row once', sql, 'FINAL')
  const message = plainWords(error.message)
  if (error.code === unknownTable) return refuseUnknownTable(/identifier '([^']*)'/.exec(error.message)?.[1], sql)
  return refuseName(message, sql, /[`']([^`']+)[`']/.exec(message)?.[1])
}

export function refuseUnknownTable(name: string | undefined, sql: string) {
  const tables = Object.keys(columnsOf).join(', ')
  return refuseName(
    `There is no table ${name ? `"${name}"` : 'of that name'}; query ${tables}`,
    sql,
    name?.split('.').at(-1),
  )
}

function toSyntaxFailure(raw: string, sql: string) {
  const [, position, near = ''] = /failed at position (\d+) \(((?:[^()]|\([^()]*\))*)\)/.exec(raw) ?? []
  const what = /DB::Exception: (.*?)(?:Syntax error|: In scope)/s.exec(raw)?.[1]?.trim().replace(/:$/, '')
  const expected = /Expected (?:one of: )?(.*?)(?:: In scope|\. \(SYNTAX_ERROR)/s.exec(raw)?.[1]
  const parts = [
    `Syntax error${near === 'end of query' || near === '' ? ' at the end' : ` at "${near.slice(0, 60)}"`}`,
    what || /Syntax error \(([^)]*)\)/.exec(raw)?.[1] || /Unmatched parentheses/.exec(raw)?.[0].toLowerCase(),
    expected && `expected ${expected.split(', ').slice(0, 8).join(', ')}`,
  ]
  const message = parts.filter(Boolean).join(': ')
  return refuseSql(message, sql, position === undefined ? undefined : toIndex(sql, Number(position) - 1))
}

/** The engine counts bytes. */
const toIndex = (sql: string, byteOffset: number) =>
  new TextDecoder().decode(new TextEncoder().encode(sql).subarray(0, byteOffset)).length

/** The engine's sentence without its code, its version, the statement around and the names that we put there. */
function plainWords(raw: string) {
  const [sentence = ''] = raw
    .replace(/^Query failed: /, '')
    .replaceAll(/Code: \d+\. DB::Exception: /g, '')
    .split(/:?\s*\bin scope\b|:? \bWhile (?:executing|processing)\b|\. In query\b|\bMaybe you meant\b|\(version /i)
  const plain = sentence
    .replace(/\s*\([A-Z_]+\)\s*$/, '')
    .replaceAll(/__table\d+\./g, '')
    .replaceAll(`${dataSchema}.`, '')
    .trim()
    .replace(/[.:,]$/, '')
  return plain === '' ? 'The engine refuses this statement' : plain.slice(0, 500)
}

function findName(sql: string, name: string) {
  const last = name.split('.').at(-1)
  const token = readTokens(sql).find(
    ({ kind, text }) => (kind === 'word' || kind === 'quoted') && (text === name || text === last),
  )
  return token?.start
}

function placeOf(sql: string, start: number) {
  const before = sql.slice(0, start).split('\n')
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 }
}
