import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

export function NotFoundPage() {
  return (
    <>
      <title>Not found · Assay</title>
      <EmptyState
        title="There is no such page"
        hint="The link may be old, or what it named may belong to another organization."
        action={<TextLink href={paths.experiments()}>See all experiments</TextLink>}
      />
    </>
  )
}
