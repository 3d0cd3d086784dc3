import type { SqlInsight } from '#contract/insights.ts'
import { paths } from '#src/paths.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

/** Why there is no result, and what to do instead. */
export function LegacyNotice({ insight: { provenance } }: { insight: SqlInsight }) {
  const { experimentId } = provenance
  return (
    <Notice title="This insight asks the retired data pipeline.">
      It is kept, but it can be neither viewed nor published: the tables it names are gone. To ask again,{' '}
      {experimentId ? (
        <TextLink href={paths.fork(experimentId)}>{`fork ${experimentId}`}</TextLink>
      ) : (
        <TextLink href={paths.experiments()}>fork its experiment</TextLink>
      )}{' '}
      onto the current pipeline, run it, and write the query anew.
    </Notice>
  )
}
