import { PageHeader } from '#src/ui/PageHeader.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { paths } from '#src/paths.ts'
import { RunsTable } from './RunsTable.tsx'

export function RunsPage() {
  return (
    <>
      <title>Runs · Assay</title>
      <PageHeader title="Runs" />
      <RunsTable
        empty={{
          title: 'No runs yet',
          hint: 'Submit an experiment, and its runs appear here while they run.',
          action: <TextLink href={paths.experiments()}>Choose an experiment</TextLink>,
        }}
      />
    </>
  )
}
