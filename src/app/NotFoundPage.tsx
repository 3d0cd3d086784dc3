import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

export function NotFoundPage() {
  return (
    <>
      <title>Not found · Assay</title>
      <EmptyState
        isPage
        title="Page not found"
        hint="The link may be outdated or belong to another organization."
        action={<TextLink href={paths.experiments()}>See all experiments</TextLink>}
      />
    </>
  )
}
