import type { HeatmapRun } from '#contract/charts.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { milliseconds } from '#src/format/durations.ts'
import { paths } from '#src/paths.ts'
import { TruncatedText } from '#src/ui/TruncatedText.tsx'
import { OutcomeGlyph } from '#src/ui/OutcomeGlyph.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from '#src/features/results/view/SidePane.module.css'

type Props = {
  run: HeatmapRun
  /** The variant's name, as short as its neighbors allow. */
  name: string
  testName: string
}

/** One run of a cell; its link opens the run at this test. */
export const CellRun = ({ run, name, testName }: Props) => (
  <li>
    <TextLink className={classes.run} href={paths.test(run.id, testName)}>
      <OutcomeGlyph outcome={run.outcome} />
      <span className={classes.variant}>
        <TruncatedText whole={nameOfAxes(run.variantId)}>{name}</TruncatedText>
      </span>
      <span className={classes.fact}>#{run.repeat}</span>
      <span className={classes.fact}>{milliseconds(run.durationMs)}</span>
      <span className={classes.fact}>
        <RelativeTime at={run.endedAt} />
      </span>
      {run.failure && <span className={classes.failure}>{run.failure}</span>}
    </TextLink>
  </li>
)
