import { analyticsTableNames } from '#contract/sql-tables.ts'
import type { ErrorIssue } from '#contract/errors.ts'
import { StatementRefused } from '#platform/ground/services/analytics.ts'
import { columnsOf, dataSchema } from '#platform/analysis/analytics/create-tables.ts'
import { type Failure, invalid } from '#platform/ground/failures/failure.ts'
import { allowedFunctions } from './allowed-names.ts'
import { nearestName } from './nearest-name.ts'
import { readTokens } from './tokens.ts'

const unknownIdentifier = 47
const notAggregated = 215
const unknownTable = 60
const unsupportedMethod = 1

/** Returns an error that points at index `start` of the user's text. */
export function refuseSql(message: string, sql: string, start?: number): Failure {
  const issue: ErrorIssue = { path: 'sql', message, ...(start !== undefined && lineAndColumn(sql, start)) }
  return invalid(message, [issue])
}

/** Like refuseSql. The error points at the first `name` in the text, or nowhere if the text does not contain it. */
export const refuseName = (message: string, sql: string, name: string | undefined): Failure =>
  refuseSql(message, sql, name === undefined ? undefined : findName(sql, name))

/**
 * Converts an engine's message about the statement into an error that the user can act on. Returns other errors
 * unchanged.
 */
export function toQueryFailure(error: unknown, sql: string): unknown {
  if (!(error instanceof StatementRefused)) return error
  if (error.code === unsupportedMethod && /\bFINAL\b/.test(error.message))
    return refuseName('Remove FINAL: the tables contain each row once', sql, 'FINAL')
  const message = plainWords(error.message)
  if (error.code === unknownTable) return refuseUnknownTable(/identifier '([^']*)'/.exec(error.message)?.[1], sql)
  const named = /[`']([^`']+)[`']/.exec(message)?.[1]
  if (error.code === unknownIdentifier && named !== undefined) return refuseUnknownColumn(named, sql)
  if (error.code === notAggregated && named !== undefined)
    return refuseName(`Add ${named} to GROUP BY, or wrap it in an aggregate such as any(${named})`, sql, named)
  return refuseName(message, sql, named)
}

export function refuseUnknownTable(name: string | undefined, sql: string) {
  const tables = analyticsTableNames
  const sentence = `Unknown table${name ? ` "${name}"` : ''}; available tables: ${tables.join(', ')}`
  const plain = name?.split('.').at(-1)
  return refuseName(plain === undefined ? sentence : orMeant(sentence, plain, tables), sql, plain)
}

function refuseUnknownColumn(name: string, sql: string) {
  const plain = name.split('.').at(-1) ?? name
  const words = readTokens(sql)
  const isNamed = ([table]: [string, readonly string[]]) => words.some(({ text }) => text === table)
  const tables = Object.entries(columnsOf)
  const own = tables.some(isNamed) ? tables.filter(isNamed) : tables
  const sentence = orMeant(`Unknown column ${name}`, plain, [
    ...new Set([...own.flatMap(([, columns]) => columns), ...namedIn(sql)]),
  ])
  const [other] = tables.find(([, columns]) => columns.includes(plain)) ?? []
  const isQuoted = words.some(({ kind, text, start }) => kind === 'quoted' && text === plain && sql[start] === '"')
  if (other !== undefined) return refuseName(`Unknown column ${name}. The table ${other} has it`, sql, name)
  return refuseName(
    isQuoted ? `${sentence.replace(/[^?]$/, '$&.')} A text is in single quotes: '${plain}'` : sentence,
    sql,
    name,
  )
}

export const refuseFunction = (name: string, sql: string) =>
  refuseName(orMeant(`Function ${name} is not available in queries`, name, allowedFunctions), sql, name)

/** Appends the nearest valid name to the sentence. */
function orMeant(sentence: string, name: string, names: readonly string[]) {
  const meant = nearestName(name, names)
  return meant === undefined || meant === name ? sentence : `${sentence}. Did you mean ${meant}?`
}

/** Names that the text defines with AS. */
const namedIn = (sql: string) =>
  readTokens(sql).flatMap((token, index, tokens) => (/^as$/i.test(tokens[index - 1]?.text ?? '') ? [token.text] : []))

const sentenceCharacters = 500

/**
 * Removes the code, the version, the surrounding statement and the platform's own names from the engine's message.
 * It shortens the message first, because the message quotes users' values and the patterns take quadratic time over a
 * run of blanks.
 */
function plainWords(raw: string) {
  const [sentence = ''] = raw
    .slice(0, 4 * sentenceCharacters)
    .replace(/^Query failed: /, '')
    .replaceAll(/Code: \d+\. DB::Exception: /g, '')
    .split(/:?\s*\bin scope\b|:? \bWhile (?:executing|processing)\b|\. In query\b|\bMaybe you meant\b|\(version /i)
  const plain = sentence
    .trimEnd()
    .replace(/\([A-Z_]+\)$/, '')
    .replaceAll(/__table\d+\./g, '')
    .replaceAll(`${dataSchema}.`, '')
    .trim()
    .replace(/[.:,]$/, '')
  return plain === '' ? 'The engine rejects this statement' : plain.slice(0, sentenceCharacters)
}

function findName(sql: string, name: string) {
  const last = name.split('.').at(-1)
  const token = readTokens(sql).find(
    ({ kind, text }) => (kind === 'word' || kind === 'quoted') && (text === name || text === last),
  )
  return token?.start
}

function lineAndColumn(sql: string, start: number) {
  const before = sql.slice(0, start).split('\n')
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 }
}
