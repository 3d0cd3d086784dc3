import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

export function NotFoundPage({ removed }: { removed?: string | undefined }) {
  return (
    <>
      <title>{`${removed ? 'Run removed' : 'Not found'} · Assay`}</title>
      <EmptyState
        isPage
        title={removed ? 'Run removed' : 'Page not found'}
        hint={removed ? `${removed}.` : 'The link may be outdated or belong to another organization.'}
        action={<TextLink href={paths.experiments()}>See all experiments</TextLink>}
      />
    </>
  )
}
