import type { ResultTable } from '#contract/queries.ts'

/** What a column of a result would tell strangers about people, and about the organization's own records. */
export type Identifying = {
  /** Columns by what they hold. */
  people: string[]
  addresses: string[]
  transcripts: string[]
  records: string[]
  /** The statement reads who submitted runs, and no column says so by its name. */
  isPersonHidden: boolean
}

const person = /triggered_?by|submitt|user|person|people|author|owner|who\b/i
const address = /[^\s@<>"']+@[^\s@<>"']+\.[a-z]{2,}/i
const records = new Set(['id', 'run_id', 'run_request_id'])

/**
 * By the names of the columns, their values and what the statement reads. It warns whoever publishes; it cannot see through
 * every expression.
 */
export function identifyingColumns(sql: string, { columns, rows }: Pick<ResultTable, 'columns' | 'rows'>): Identifying {
  const read = withoutTexts(sql)
  const named = (test: (name: string, place: number) => boolean) =>
    columns.flatMap(({ name }, place) => (test(name, place) ? [name] : []))
  const people = named((name) => person.test(name))
  return {
    people,
    addresses: named((_, place) => rows.some((row) => holdsAddress(row[place]))),
    transcripts: /\bturns\b/i.test(read) ? named((name) => name === 'text') : [],
    records: named((name) => records.has(name)),
    isPersonHidden: people.length === 0 && /\btriggered_by\b/i.test(read),
  }
}

const holdsAddress = (value: unknown) =>
  (typeof value === 'string' || typeof value === 'object') && address.test(JSON.stringify(value))

/** A statement without what it only says: texts and comments. Names in quotes stay. */
const withoutTexts = (sql: string) =>
  sql.replaceAll(
    /("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)|'(?:[^'\\]|\\.)*'|--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, name: string | undefined) => name ?? ' ',
  )
