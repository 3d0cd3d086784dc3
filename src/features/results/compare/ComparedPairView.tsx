import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { LiveResults } from '#src/api/live-results.ts'
import { IntervalPlot, type IntervalRow } from '#src/charts/interval/IntervalPlot.tsx'
import { counted } from '#src/format/numbers.ts'
import { comparisonSentence, matchedNoun } from '#src/format/comparison-sentence.ts'
import type { RunUse } from '#statistics/match-cells.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Fact } from '#src/ui/Fact.tsx'
import { FactBand } from '#src/ui/FactBand.tsx'
import { paths } from '#src/paths.ts'
import { PageOnly } from '#src/ui/PageOnly.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { meanInWords, measureOf, signed, signedBare } from '#src/features/results/view/measures.ts'
import type { Comparison } from '#statistics/compare-groups.ts'
import { meanOf } from '#statistics/moments.ts'
import { promptDifferences } from '#statistics/prompt-differences.ts'
import mutedText from '#src/ui/muted-text.module.css'
import { type ComparedRuns, pairOptions } from './compare-in-worker.ts'
import classes from './Compare.module.css'
import { type PairNames, type Question, isSamePair, judge } from './compare-pairs.ts'
import { type Sides, toSides } from './compare-sides.ts'
import { GroupsVerdict } from './GroupsVerdict.tsx'
import { LostTasks } from './LostTasks.tsx'
import { MatchedCells } from './MatchedCells.tsx'
import { MoreRepeatsOffer } from './MoreRepeatsOffer.tsx'
import { chanceSentence, PairChance } from './PairChance.tsx'
import { ScopeNote } from './ScopeNote.tsx'
import type { Correction } from './use-correction.ts'

/** With more parts than this, the plot shows only the total; the table below has every one. */
const maxParts = 12

/** The total difference with its interval, then the differences of the matched prompts or combinations that it averages. */
function toIntervalRows({ scope, cells, prompts, difference, interval }: Comparison): IntervalRow[] {
  const isGeneral = scope === 'prompts like these'
  const label = isGeneral ? 'Prompts like these' : prompts.arePaired ? 'These prompts' : 'All matched runs'
  const parts = isGeneral
    ? promptDifferences(cells).map(({ prompt, difference: value }) => {
        const [own, ...others] = cells.filter(({ prompts: [first] }) => (first ?? null) === prompt)
        return { label: prompt ?? 'no prompt', value, opens: others.length === 0 ? (own?.cell ?? null) : null }
      })
    : cells.map(({ cell, left, right }) => ({ label: cell, value: meanOf(left) - meanOf(right), opens: cell }))
  const whole = { label, value: difference, interval, isWhole: true, opens: null }
  if (parts.length < 2 || parts.length > maxParts) return [whole]
  return [whole, ...parts.map((part) => ({ ...part, interval: null, isWhole: false }))]
}

type Props = {
  compared: ComparedRuns
  question: Question
  names: PairNames
  labels: PairNames
  correction: Correction
  cell: string | null
  live: LiveResults
}

/** One pair in detail: the sentence, its interval, the runs it uses, and how many more would decide it. */
export function ComparedPairView({ compared, question, names, labels, correction, cell, live }: Props) {
  const { measure } = question
  const { left, right } = names
  const url = useQueryState()
  const { data: comparison, error, refetch } = useQuery(pairOptions(compared, question, names))
  const sides = useMemo(
    () => toSides(compared.runs, question.compared, { left, right }),
    [compared.runs, question.compared, left, right],
  )
  if (error)
    return <ErrorNotice title="The two groups could not be compared" error={error} onRetry={() => void refetch()} />
  if (!comparison) return <Skeleton height={280} mb={24} />
  const { words, label } = measureOf(measure)
  const { prompts } = comparison
  const corrected = correction.pairs?.find((pair) => isSamePair(pair, names))
  const isKnown = correction.groups <= 2 || corrected !== undefined || correction.isTooMany || correction.error
  const correctedP = corrected?.correctedP ?? null
  const judged = correction.groups <= 2 ? comparison : judge(comparison, correctedP)
  const groups = [
    { label: labels.left, group: comparison.left },
    { label: labels.right, group: comparison.right },
  ]
  return (
    <section aria-label={`${labels.left} vs ${labels.right}`} className={classes.pair}>
      <output className={classes.sentence} data-verdict={judged.verdict} aria-busy={!isKnown}>
        {isKnown ? comparisonSentence(judged, { ...labels, words }) : '…'}
      </output>
      {question.compared === 'version' && (
        <PageOnly>
          <p className={classes.note}>
            <TextLink href={paths.experiment(compared.experimentId, 'definition', { version: left, against: right })}>
              Changes of the definition
            </TextLink>
          </p>
        </PageOnly>
      )}
      {comparison.cells.length > 0 && (
        <IntervalPlot
          label={`Difference in ${label.toLowerCase()}${words.unit?.[0] === 'point' ? ', in points' : ''}: ${labels.left} minus ${labels.right}`}
          rows={toIntervalRows(comparison)}
          format={(value, beside) => signedBare(measure, value, beside)}
          selected={cell}
          onSelect={(chosen) => url.push({ cell: chosen })}
        />
      )}
      {isLeaderboards(sides, question) && (
        <PageOnly>
          <GroupsVerdict
            experimentId={compared.experimentId}
            parameters={compared.parameters}
            scope={question.scope}
            live={live}
          />
        </PageOnly>
      )}
      {isKnown && judged !== comparison && (
        <p className={classes.note}>
          <b>{chanceSentence(correctedP, correction.groups)}</b>
        </p>
      )}
      {sides.alsoDiffer.length > 0 && (
        <p className={classes.note}>
          Caution: these groups also differ in {sides.alsoDiffer.map(axisWord).join(', ')}.
        </p>
      )}
      <ScopeNote comparison={comparison} compared={question.compared} alsoDiffer={sides.alsoDiffer} />
      <FactBand>
        {groups.map(({ label, group }) => (
          <Fact key={label} name={label}>
            {meanInWords(measure, group.mean)} <span className={mutedText.small}>{describeUse(group)}</span>
          </Fact>
        ))}
        <Fact name="Difference">{signed(measure, comparison.difference)}</Fact>
        <PairChance comparison={comparison} corrected={corrected} correction={correction} />
        <Fact name="Matched by">{sides.matchedBy.map(axisWord).join(', ') || '– (no other axis varies)'}</Fact>
        {prompts.arePaired && (
          <Fact name="Prompts" title="Prompts that both groups ran; the others are excluded">
            {prompts.used} matched
            {prompts.leftOut > 0 && <span className={mutedText.small}> {prompts.leftOut} excluded</span>}
          </Fact>
        )}
      </FactBand>
      <PageOnly>
        {hasTasks(comparison, question) && <LostTasks {...{ compared, question, sides, names, labels }} shown={cell} />}
        <MoreRepeatsOffer experimentId={compared.experimentId} comparison={comparison} sides={sides} labels={labels} />
        {!(hasTasks(comparison, question) && hasTaskCells(sides)) && (
          <MatchedCells
            cells={comparison.cells}
            noun={matchedNoun(comparison)}
            matchedBy={sides.matchedBy}
            labels={labels}
            measure={measure}
            shown={cell}
          />
        )}
      </PageOnly>
    </section>
  )
}

/** Whether both sides ran the same prompts, so that one can lose on a task. */
const hasTasks = ({ prompts, cells }: Comparison, { measure, compared }: Question) =>
  measure === 'solved' && prompts.arePaired && cells.length > 1 && compared !== 'variant'

/** Whether a leaderboard compares the same runs in the same way: by what they solve, prompt by prompt. */
const isLeaderboards = ({ matchedBy }: Sides, { measure, compared }: Question) =>
  measure === 'solved' && compared !== 'version' && matchedBy.every((axis) => axis === 'prompt')

/** Whether each matched cell is a task, so that the table of tasks has every cell. */
const hasTaskCells = ({ matchedBy }: Sides) => matchedBy.length === 1

const axisWord = (axis: string) => axis.replace('_', ' ')

/** Describes how many runs of a group are used, and why the others are not. */
function describeUse({ used, missing, unmatched, alone }: RunUse) {
  return [
    counted(used, 'run'),
    missing > 0 && `${missing} without a value`,
    unmatched > 0 && `${unmatched} unmatched`,
    alone > 0 && `${alone} unreplicated`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}
