import { PageHeader } from '#src/ui/PageHeader.tsx'

export const loader = () => null

export function ExperimentsPage() {
  return (
    <>
      <title>Experiments · Assay</title>
      <PageHeader title="Experiments" />
    </>
  )
}
