import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

export function NotFoundPage({ removed }: { removed?: string | undefined }) {
  return (
    <>
      <title>Not found · Assay</title>
      <EmptyState
        isPage
        title={removed ? 'Removed' : 'Page not found'}
        hint={removed ?? 'The link may be outdated or belong to another organization.'}
        action={<TextLink href={paths.experiments()}>See all experiments</TextLink>}
      />
    </>
  )
}
