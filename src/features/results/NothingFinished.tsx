import type { HeatmapParameters } from '#contract/charts.ts'
import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { isFiltered } from './results-parameters.ts'

type Props = { experimentId: string; parameters: HeatmapParameters }

/** No run to show, and what to do about it. */
export const NothingFinished = ({ experimentId, parameters }: Props) =>
  isFiltered(parameters) ? (
    <EmptyState title="No finished run or test matches" hint="Fewer filters may show some." />
  ) : (
    <EmptyState
      title="No finished run yet"
      hint="Results appear as runs finish."
      action={<TextLink href={paths.submit(experimentId)}>Submit runs</TextLink>}
    />
  )
