import { queryExperiment, queryOrganization } from '#contract/queries.ts'
import { counted } from '#contract/wire/counted.ts'
import { readNumber } from '#client/runs/submit-request.ts'
import { tableOrRecords } from '#client/terminal/table.ts'
import type { Verb } from '#client/work.ts'

export type SqlOptions = { experiment?: string; limit: string }

export const querySql =
  (statement: string, { experiment, limit }: SqlOptions): Verb =>
  async ({ io, api, show }) => {
    const sql = statement === '-' ? await io.readInput() : statement
    const caller = await api()
    const body = { sql, limit: readNumber('--limit', limit) }
    const result =
      experiment === undefined
        ? await caller.call(queryOrganization, body)
        : await caller.call(queryExperiment, { id: experiment, ...body })
    const { columns, rows, truncated } = result
    const cells = rows.map((row) => row.map(cellText))
    const cut = truncated ? '\nMore rows are left out. Ask for them with --limit' : ''
    show(
      result,
      `${tableOrRecords(
        columns.map(({ name }) => name),
        cells,
        io.columns.out,
      )}(${counted(rows.length, 'row')})${cut}`,
    )
  }

function cellText(value: unknown) {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)
}
