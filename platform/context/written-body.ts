import type { WrittenTable } from './written-table.ts'

type TableFields = 'columns' | 'rows' | 'rowCount' | 'truncated'

/** A response whose rows are text already: they pass through this process as they are, whatever their number. */
export class WrittenBody<Body> {
  readonly table: WrittenTable
  readonly fields: Omit<Body, TableFields>

  constructor(table: WrittenTable, fields: Omit<Body, TableFields>) {
    this.table = table
    this.fields = fields
  }

  with(more: Partial<Omit<Body, TableFields>>) {
    return new WrittenBody<Body>(this.table, { ...this.fields, ...more })
  }

  /** The pieces of the whole text, in order. */
  toParts(): Uint8Array[] {
    const rest = JSON.stringify(this.fields).slice(1)
    return [Buffer.from('{'), ...this.table.parts, Buffer.from(rest === '}' ? rest : `,${rest}`)]
  }

  /** So that a test which looks for words in an answer looks at its rows too. */
  toJSON() {
    return { ...this.table.read(), ...this.fields }
  }
}
