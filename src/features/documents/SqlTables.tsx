import { analyticsFunctions } from '#contract/sql-functions.ts'
import { analyticsTables } from '#contract/sql-tables.ts'
import { Section } from '#src/ui/Section.tsx'
import { FieldTable } from './FieldTable.tsx'

/** The tables of SQL and the common functions. */
export function SqlTables() {
  return (
    <>
      {analyticsTables.map(({ name, says, columns }) => (
        <Section key={name} title={`Table ${name}`} aside={says}>
          <FieldTable label={`Columns of ${name}`} fields={columns} />
        </Section>
      ))}
      <Section title="Common functions">
        <FieldTable
          label="Common functions"
          fields={analyticsFunctions.map(({ example, says }) => ({ name: example, type: '', says }))}
        />
      </Section>
    </>
  )
}
