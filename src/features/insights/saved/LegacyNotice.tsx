import type { SqlInsight } from '#contract/insights.ts'
import { paths } from '#src/paths.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

/** Why there is no result, and what to do instead. */
export function LegacyNotice({ insight: { provenance } }: { insight: SqlInsight }) {
  const { experimentId } = provenance
  return (
    <Notice title="This insight uses a retired data pipeline and can’t be run.">
      The tables it reads no longer exist. To get current results,{' '}
      {experimentId ? (
        <TextLink href={paths.fork(experimentId)}>{`fork ${experimentId}`}</TextLink>
      ) : (
        <TextLink href={paths.experiments()}>fork its experiment</TextLink>
      )}
      , run the fork and recreate the query.
    </Notice>
  )
}
