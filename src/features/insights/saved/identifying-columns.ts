import type { ResultTable } from '#contract/queries.ts'

/** The columns of a result that would reveal people or the organization's records to the public. */
export type Identifying = {
  /** Column names by kind. */
  people: string[]
  addresses: string[]
  transcripts: string[]
  records: string[]
  /** True if the statement reads who submitted runs but no column name shows it. */
  isPersonHidden: boolean
}

const person = /triggered_?by|submitt|user|person|people|author|owner|who\b/i
const address = /[^\s@<>"']+@[^\s@<>"']+\.[a-z]{2,}/i
/** Columns of turns, outputs and failures with what an agent or a test printed. */
const printed = new Set(['text', 'example'])
const records = new Set(['id', 'run_id', 'run_request_id'])

/**
 * Checks column names, values, and what the statement reads. This warns the publisher; it cannot analyze every
 * expression.
 */
export function identifyingColumns(sql: string, { columns, rows }: Pick<ResultTable, 'columns' | 'rows'>): Identifying {
  const read = withoutTexts(sql)
  const named = (test: (name: string, place: number) => boolean) =>
    columns.flatMap(({ name }, place) => (test(name, place) ? [name] : []))
  const people = named((name) => person.test(name))
  return {
    people,
    addresses: named((_, place) => rows.some((row) => holdsAddress(row[place]))),
    transcripts: /\b(turns|outputs|failures)\b/i.test(read) ? named((name) => printed.has(name)) : [],
    records: named((name) => records.has(name)),
    isPersonHidden: people.length === 0 && /\btriggered_by\b/i.test(read),
  }
}

const holdsAddress = (value: unknown) =>
  (typeof value === 'string' || typeof value === 'object') && address.test(JSON.stringify(value))

/** Removes strings and comments from a statement and keeps quoted names. */
const withoutTexts = (sql: string) =>
  sql.replaceAll(
    /("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)|'(?:[^'\\]|\\.)*'|--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, name: string | undefined) => name ?? ' ',
  )
