import { PageHeader } from '#src/ui/PageHeader.tsx'

export const loader = () => null

export function HomePage() {
  return (
    <>
      <title>Assay</title>
      <PageHeader title="Home" />
    </>
  )
}
