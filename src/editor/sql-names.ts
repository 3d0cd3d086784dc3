import { type AnalyticsColumn, analyticsTableNames, analyticsTables } from '#contract/sql-tables.ts'

/** The table of each name before a dot: the tables of a statement and their aliases. */
function tablesNamedIn(sql: string): Map<string, string> {
  const named = new Map<string, string>()
  for (const [, table = '', alias] of sql.matchAll(tableAndAlias)) {
    named.set(table, table)
    if (alias && !notAliases.test(alias)) named.set(alias, table)
  }
  return named
}

const tableAndAlias = new RegExp(
  `\\b(?:from|join)\\s+(${analyticsTableNames.join('|')})\\b(?=(?:\\s+(?:as\\s+)?(\\w+))?)`,
  'gi',
)

const notAliases =
  /^(?:where|prewhere|group|order|limit|having|join|left|right|inner|full|cross|any|all|array|on|using|union|final|sample|window|qualify|settings|format)$/i

export type SqlPlace =
  | { kind: 'table'; from: number }
  /** Possible columns; `isQualified` if a table precedes them with a dot. */
  | { kind: 'column'; from: number; isQualified: boolean; columns: AnalyticsColumn[] }

/** Suggestions at a position of a statement, outside strings and comments. */
export function placeInSql(sql: string, offset: number): SqlPlace {
  const before = sql.slice(0, offset)
  const word = /[\w.]*$/.exec(before)?.[0] ?? ''
  const start = offset - word.length
  if (/\b(?:from|join)\s+$/i.test(before.slice(0, start))) return { kind: 'table', from: start }
  const named = tablesNamedIn(sql)
  const dot = word.lastIndexOf('.')
  if (dot >= 0) {
    const table = named.get(word.slice(0, dot)) ?? word.slice(0, dot)
    return { kind: 'column', from: start + dot + 1, isQualified: true, columns: columnsOf([table]) }
  }
  const tables = named.size > 0 ? [...named.values()] : analyticsTableNames
  return { kind: 'column', from: start, isQualified: false, columns: columnsOf(tables) }
}

/** Lists each column once, as described by the first table that has it. */
function columnsOf(tables: readonly string[]): AnalyticsColumn[] {
  const all = analyticsTables.filter(({ name }) => tables.includes(name)).flatMap(({ columns }) => columns)
  return [...new Map(all.toReversed().map((column) => [column.name, column])).values()].toReversed()
}
