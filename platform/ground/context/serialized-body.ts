import type { SerializedTable } from './serialized-table.ts'

type TableFields = 'columns' | 'rows' | 'rowCount' | 'truncated'

/** A response whose rows are already text. They pass through this process unparsed, however many there are. */
export class SerializedBody<Body> {
  readonly table: SerializedTable
  readonly fields: Omit<Body, TableFields>

  constructor(table: SerializedTable, fields: Omit<Body, TableFields>) {
    this.table = table
    this.fields = fields
  }

  with(more: Partial<Omit<Body, TableFields>>) {
    return new SerializedBody<Body>(this.table, { ...this.fields, ...more })
  }

  /** The pieces of the whole text, in order. */
  toParts(): Uint8Array[] {
    const rest = JSON.stringify(this.fields).slice(1)
    return [Buffer.from('{'), ...this.table.parts, Buffer.from(rest === '}' ? rest : `,${rest}`)]
  }

  /** Lets a test that searches an answer for text search its rows too. */
  toJSON() {
    return { ...this.table.read(), ...this.fields }
  }
}
