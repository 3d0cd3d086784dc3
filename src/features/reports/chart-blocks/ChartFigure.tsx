import { Button, Skeleton } from '@mantine/core'
import { QueryClientProvider, useMutation } from '@tanstack/react-query'
import { IconPencil, IconPin, IconPinnedOff } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'

import type { ChartBlock } from '#contract/report-blocks/chart-blocks.ts'
import { Drift } from '#src/shared/figures/Drift.tsx'
import { NotPrinted } from '#src/shared/figures/NotPrinted.tsx'
import { PageFigure } from '#src/shared/figures/PageFigure.tsx'
import type { FigureRecorder } from '#src/shared/figures/pinned/figure-recorder.ts'
import { PinnedAndLive } from '#src/shared/figures/pinned/PinnedAndLive.tsx'
import { usePinnedFigure } from '#src/shared/figures/pinned/use-pinned-figure.ts'
import { useRecorder } from '#src/shared/figures/pinned/use-recorder.ts'
import { useFigureLoad } from '#src/shared/figures/use-figure-load.ts'
import { calendarDay, exactTime } from '#src/format/dates.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './ChartFigure.module.css'
import { ChartBlockDialog } from './ChartBlockDialog.tsx'
import { PinAgain } from './PinAgain.tsx'
import { PinnedBody } from './PinnedBody.tsx'

type Props = {
  block: ChartBlock
  /** Replaces the block in the text; omitted if the text is read-only. */
  onChange?: (block: ChartBlock) => void
}

/**
 * A view of a page in a report, live or with the data of the day it was pinned. It loads when it comes near the screen,
 * at most three at once.
 */
export const ChartFigure = ({ block, ...props }: Props) =>
  block.pinned === undefined ? (
    <LiveFigure block={block} {...props} />
  ) : (
    <PinnedFigure key={block.pinned} block={block} figureId={block.pinned} {...props} />
  )

function LiveFigure({ block, onChange }: Props) {
  const { ref, stage } = useFigureLoad<HTMLElement>()
  const recorder = useRecorder()
  const pinning = useMutation({
    mutationFn: () => recorder.pin(block.page),
    onSuccess: (pinned) => onChange?.({ ...block, pinned }),
  })
  return (
    <Frame
      block={block}
      figure={{ ref, stage }}
      state="live"
      actions={
        onChange && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPin size={12} aria-hidden />}
            loading={pinning.isPending}
            disabled={stage !== 'ready'}
            onClick={() => pinning.mutate()}
          >
            Pin
          </Button>
        )
      }
      {...(onChange && { onChange })}
    >
      {pinning.error && <ErrorNotice title="The figure was not pinned" error={pinning.error} />}
      {stage === 'waiting' ? (
        <Skeleton height={240} />
      ) : (
        <QueryClientProvider client={recorder}>
          <PageFigure path={block.page} />
        </QueryClientProvider>
      )}
    </Frame>
  )
}

function PinnedFigure({ block, figureId, onChange }: Props & { figureId: string }) {
  const { ref, stage } = useFigureLoad<HTMLElement>()
  const [isBoth, setBoth] = useState(false)
  const [isDrawnLive, setDrawnLive] = useState(false)
  const pinning = useMutation({
    mutationFn: (recorder: FigureRecorder) => recorder.pin(block.page),
    onSuccess: (id) => onChange?.({ ...block, pinned: id }),
    onSettled: () => setDrawnLive(false),
  })
  const pinned = usePinnedFigure(figureId, { isNear: stage !== 'waiting', isDrawn: stage === 'ready' })
  const refreshing = useMutation({ mutationFn: pinned.refreshLive, onSettled: () => setDrawnLive(true) })
  const { figure, drift } = pinned
  const isShown = <PinnedBody page={block.page} pinned={pinned} />
  return (
    <Frame
      block={block}
      figure={{ ref, stage }}
      state={
        <>
          pinned
          {figure && (
            <>
              {' '}
              <time dateTime={figure.pinnedAt} title={exactTime(figure.pinnedAt)}>
                {calendarDay(figure.pinnedAt)}
              </time>{' '}
              by {figure.pinnedBy.name}
            </>
          )}
        </>
      }
      asOf={figure?.pinnedAt}
      drift={drift === 'changed' ? 'Changed since it was pinned' : drift === 'gone' && 'Its live data is not available'}
      actions={
        <>
          {drift === 'changed' && (
            <Button size="compact-xs" variant="default" aria-pressed={isBoth} onClick={() => setBoth(!isBoth)}>
              {isBoth ? 'Show pinned only' : 'Show both'}
            </Button>
          )}
          {onChange && drift === 'changed' && (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconPin size={12} aria-hidden />}
              loading={refreshing.isPending || isDrawnLive}
              onClick={() => refreshing.mutate()}
            >
              Pin again
            </Button>
          )}
          {onChange && (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconPinnedOff size={12} aria-hidden />}
              onClick={() => onChange({ ...block, pinned: undefined })}
            >
              Unpin
            </Button>
          )}
        </>
      }
      {...(onChange && { onChange })}
    >
      {pinning.error && <ErrorNotice title="The figure was not pinned again" error={pinning.error} />}
      {isDrawnLive ? (
        <PinAgain page={block.page} onDrawn={pinning.mutate} />
      ) : isBoth ? (
        <PinnedAndLive pinned={isShown} live={<PageFigure path={block.page} />} />
      ) : (
        isShown
      )}
    </Frame>
  )
}

type FrameProps = Props & {
  figure: ReturnType<typeof useFigureLoad<HTMLElement>>
  state: ReactNode
  /** When its data was pinned. */
  asOf?: string | undefined
  drift?: string | false
  actions: ReactNode
  children: ReactNode
}

function Frame({ block, figure: { ref, stage }, state, asOf, drift, actions, onChange, children }: FrameProps) {
  const { page, title, caption, size, align } = block
  const [isEditing, setEditing] = useState(false)
  const name = title ?? 'Figure'
  return (
    <figure
      ref={ref}
      data-figure={stage}
      data-as-of={asOf}
      className={classes.figure}
      data-size={size}
      data-align={align}
      aria-label={name}
    >
      <div className={classes.head}>
        <strong className={classes.title}>
          <TextLink href={page}>{name}</TextLink>
        </strong>
        <span className={mutedText.small} data-unpublished="">
          {state}
        </span>
        {drift && <Drift text={drift} />}
        <span className={classes.actions} data-unpublished="">
          {actions}
          {onChange && (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconPencil size={12} aria-hidden />}
              onClick={() => setEditing(true)}
            >
              Edit figure
            </Button>
          )}
        </span>
      </div>
      {children}
      {stage !== 'ready' && <NotPrinted />}
      {caption && <figcaption className={classes.caption}>{caption}</figcaption>}
      {onChange && isEditing && <ChartBlockDialog block={block} onSave={onChange} onClose={() => setEditing(false)} />}
    </figure>
  )
}
