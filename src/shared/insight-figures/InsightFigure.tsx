import { Button, Skeleton } from '@mantine/core'
import { IconPin, IconPinnedOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import type { InsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import { citedInsightOptions, finishedSinceOptions } from '#src/api/cited-insights.ts'
import { isApiError } from '#src/api/errors.ts'
import { Drift } from '#src/shared/figures/Drift.tsx'
import { FigureProblem } from '#src/shared/figures/FigureProblem.tsx'
import { NotPrinted } from '#src/shared/figures/NotPrinted.tsx'
import { PinnedAndLive } from '#src/shared/figures/pinned/PinnedAndLive.tsx'
import { useFigureLoad } from '#src/shared/figures/use-figure-load.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './InsightFigure.module.css'
import { FigureBody } from './FigureBody.tsx'
import { withGroupsInWords } from './chart-figure.ts'
import { liveFigure } from './live-figure.ts'
import { describeDrift, pin, pinnedContent, unpin } from './pinned-result.ts'

type Props = {
  block: InsightBlock
  /** Replaces the block in the text; omitted if the text is read-only. */
  onChange?: ((block: InsightBlock) => void) | undefined
}

/** Older pins of a chart have the groups of the data. */
function pinnedFigure({ ref, pinned }: InsightBlock) {
  const content = pinnedContent(pinned?.value)
  return content && ref.startsWith('chart:') ? withGroupsInWords(content) : content
}

/** The live or pinned result of an insight. A flag describes how a pinned result differs from the live one. */
export function InsightFigure({ block, onChange }: Props) {
  const { ref, title, parameters, pinned } = block
  const { ref: element, stage } = useFigureLoad<HTMLElement>()
  const { data, error, refetch } = useQuery({ ...citedInsightOptions(ref, parameters), enabled: stage !== 'waiting' })
  // A leaderboard ranks its groups, which takes too long to repeat with every click.
  const live = useMemo(() => data && liveFigure(data), [data])
  const kept = pinned ? pinnedFigure(block) : null
  const hasMoved = pinned !== undefined && live !== undefined && pinned.fingerprint !== live.fingerprint
  const newRuns = useQuery({
    ...finishedSinceOptions(live?.provenance ?? { kind: 'none' }, pinned?.at ?? ''),
    enabled: hasMoved,
  })
  const drift = hasMoved && kept && describeDrift({ ...pinned, content: kept }, live, newRuns.data)
  const [wantsBoth, setWantsBoth] = useState(false)
  const shown = pinned ? kept : live?.content
  return (
    <figure
      ref={element}
      data-figure={stage}
      data-as-of={pinned?.at}
      className={classes.figure}
      aria-label={title ?? live?.title ?? ref}
    >
      <figcaption className={classes.caption}>
        <strong>{live ? <TextLink href={live.href}>{title ?? live.title}</TextLink> : (title ?? ref)}</strong>
        <span className={mutedText.smallNote} data-unpublished="">
          {pinned ? (
            <>
              pinned <RelativeTime at={pinned.at} />
            </>
          ) : (
            'live'
          )}
        </span>
        {drift && <Drift text={drift} />}
        {drift && (
          <Button
            data-unpublished=""
            size="compact-xs"
            variant="default"
            aria-pressed={wantsBoth}
            onClick={() => setWantsBoth(!wantsBoth)}
          >
            {wantsBoth ? 'Show pinned only' : 'Show both'}
          </Button>
        )}
        {onChange && live && (!pinned || hasMoved) && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPin size={12} aria-hidden />}
            onClick={() => onChange(pin(block, live, new Date().toISOString()))}
          >
            {pinned ? 'Pin again' : 'Pin'}
          </Button>
        )}
        {onChange && pinned && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPinnedOff size={12} aria-hidden />}
            onClick={() => onChange(unpin(block))}
          >
            Unpin
          </Button>
        )}
      </figcaption>
      {error && <Missing insight={ref} error={error} isPinned={shown !== undefined} onRetry={() => void refetch()} />}
      {pinned && !kept && <FigureProblem>The pinned data could not be read.</FigureProblem>}
      {!shown && !error && !pinned && !data && <Skeleton height={80} />}
      {shown && drift && wantsBoth && live ? (
        <PinnedAndLive pinned={<FigureBody content={shown} />} live={<FigureBody content={live.content} />} />
      ) : (
        shown && <FigureBody content={shown} />
      )}
      {!shown && stage !== 'ready' && <NotPrinted />}
    </figure>
  )
}

type MissingProps = { insight: string; error: Error; isPinned: boolean; onRetry: () => void }

function Missing({ insight, error, isPinned, onRetry }: MissingProps) {
  if (!isApiError(error, 'not_found'))
    return <ErrorNotice title={`The insight ${insight} could not be shown`} error={error} onRetry={onRetry} />
  return (
    <FigureProblem>
      Insight <code>{insight}</code> not found.{' '}
      {isPinned ? (
        'Showing the pinned data.'
      ) : (
        <span data-unpublished="">Remove this block or choose another insight.</span>
      )}
    </FigureProblem>
  )
}
