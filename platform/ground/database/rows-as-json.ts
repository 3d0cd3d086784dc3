import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { PgTable } from 'drizzle-orm/pg-core'

type Row = Record<string, unknown>

/**
 * Rows as a source for `from`, named `given`, whose columns have the types of the table's. They are one parameter,
 * because a statement can have 65,535 at most, and preparing them takes longer than the rows themselves. `keys` are
 * the names of columns in code; a key that a row lacks is null. A value may be null, text without NUL, a number, a
 * boolean, or text that PostgreSQL reads as the column's type.
 */
export function givenRows(table: PgTable, keys: readonly string[], rows: readonly Row[]): SQL {
  const columns = getTableColumns(table)
  const typed = keys.map((key) => {
    const column = columns[key]
    if (!column) throw new Error(`The table has no column ${key}`)
    return sql`${columnName(key)} ${sql.raw(column.getSQLType())}`
  })
  const names = keys.map((key) => [key, toSnakeCase(key)] as const)
  const json = JSON.stringify(
    rows.map((row) => Object.fromEntries(names.map(([key, name]) => [name, storable(row[key])]))),
  )
  return sql`jsonb_to_recordset(${json}::jsonb) as given(${sql.join(typed, sql`, `)})`
}

/** PostgreSQL refuses half a surrogate pair in JSON, and stores the replacement character for it in text. */
const storable = (value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)

const columnName = (key: string) => sql.identifier(toSnakeCase(key))

/** The names of columns, for the list of an insert. */
export const columnNames = (keys: readonly string[]) => sql.join(keys.map(columnName), sql`, `)

/** The assignments of an update from `givenRows`. */
export const setFromGiven = (keys: readonly string[]) =>
  sql.join(
    keys.map((key) => sql`${columnName(key)} = given.${columnName(key)}`),
    sql`, `,
  )

/** The rows that a statement returned with the names of the table's columns, as the table's own queries return them. */
export function readRows<Table extends PgTable>(table: Table, rows: readonly Row[]): Table['$inferSelect'][] {
  const columns = Object.entries(getTableColumns(table)).map(([key, column]) => ({
    key,
    name: toSnakeCase(key),
    read: (value: unknown) => (value === null ? null : column.mapFromDriverValue(value)),
  }))
  return rows.map((row) => Object.fromEntries(columns.map(({ key, name, read }) => [key, read(row[name])])))
}
