import { shortDigest } from '#contract/mixed-images.ts'
import type { RunDetail } from '#contract/runs.ts'
import { seconds } from '#src/format/durations.ts'
import { usd } from '#src/format/money.ts'
import { count, emptyValue, tokens } from '#src/format/numbers.ts'
import { scoreText } from '#src/format/scores.ts'
import { paths } from '#src/paths.ts'
import { Fact } from '#src/ui/Fact.tsx'
import { FactBand } from '#src/ui/FactBand.tsx'
import { RunTime } from '#src/ui/RunTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from '#src/features/runs/list/runs.module.css'
import { StatusHistory } from './StatusHistory.tsx'

const scoreTitle = (value: number | null, threshold: number) =>
  value === null
    ? 'A score whose value is unknown'
    : `A score that ${value >= threshold ? 'passes' : 'does not pass'}: the least value is ${scoreText(threshold)}`

/** Axes, measurements and history of a run in one band. A missing measurement shows a dash. */
export function RunFacts({ run }: { run: RunDetail }) {
  const axes = [
    ['Agent', run.agent],
    ['Mode', run.agentMode],
    ['Model', run.model],
    ['Product', run.product],
    ['Environment', run.environment],
    ['Prompt', run.prompt],
  ] as const
  return (
    <FactBand>
      {axes.map(
        ([name, value]) =>
          value !== null && (
            <Fact key={name} name={name} title={name === 'Prompt' ? run.promptText : undefined}>
              {value}
            </Fact>
          ),
      )}
      <Fact name="Time" title={describeLimit(run)}>
        <RunTime run={run} />
        {run.timeLimit && <span className={classes.of}> of {limitText(run.timeLimit.budgetSeconds)}</span>}
      </Fact>
      <Fact name="Cost" title={describeCost(run)}>
        {usd(run.costUsd)}
        {run.costLimit && <span className={classes.of}>{describeCostLimit(run.costLimit)}</span>}
      </Fact>
      <Fact name="Tokens" title={describeTokens(run)}>
        {tokens(run.totalTokens)}
      </Fact>
      <Fact name="Tool calls">
        {count(run.toolCalls)}
        {(run.toolFailures ?? 0) > 0 && <span className={classes.of}>, {count(run.toolFailures)} failed</span>}
      </Fact>
      {run.scores?.map(({ name, value, threshold }) => (
        <Fact key={`score ${name}`} name={name} title={scoreTitle(value, threshold)}>
          {value === null ? 'unknown' : scoreText(value)}
          {threshold !== 1 && <span className={classes.of}> of {scoreText(threshold)}</span>}
        </Fact>
      ))}
      {run.testAware && (
        <Fact name="Test-aware" title="The agent noticed it was being tested">
          {run.testAwareEvidenceSeq === undefined ? (
            'yes'
          ) : (
            <TextLink href={paths.run(run.id, { turn: run.testAwareEvidenceSeq })}>
              see turn #{run.testAwareEvidenceSeq}
            </TextLink>
          )}
        </Fact>
      )}
      {run.imageDigest && (
        <Fact name="Image" title={describeImage(run)}>
          <code>{shortDigest(run.imageDigest)}</code>
          {run.imageChanged && (
            <span className={classes.of}>
              {' '}
              changed: <TextLink href={paths.run(run.imageChanged.runRequestId)}>another request</TextLink> had{' '}
              <code>{shortDigest(run.imageChanged.digest)}</code>
            </span>
          )}
        </Fact>
      )}
      <Fact name="History">
        <StatusHistory history={run.statusHistory} />
      </Fact>
    </FactBand>
  )
}

const describeImage = ({ imageDigest, imageChanged, ordinal, environment }: RunDetail) =>
  imageChanged
    ? `${imageDigest}. The image of ${environment} changed between requests of v${ordinal}, so their results may differ for that reason. The other image: ${imageChanged.digest}`
    : imageDigest

const limitText = (budget: number) => (budget === 0 ? 'no limit' : seconds(budget))

function describeLimit({ timeLimit }: RunDetail) {
  if (!timeLimit) return 'No time limit recorded (older run)'
  const cap = timeLimit.planCapSeconds === 0 ? 'none or unknown' : seconds(timeLimit.planCapSeconds)
  return `${timeLimit.hit ? 'Timed out. ' : ''}Limit ${limitText(timeLimit.budgetSeconds)}, plan cap ${cap}`
}

const describeCostLimit = ({ maxCostUsd, scope }: NonNullable<RunDetail['costLimit']>) =>
  scope === 'request' ? `, budget of the request ${usd(maxCostUsd)}` : ` of ${usd(maxCostUsd)}`

const describeCost = ({ modelUse }: RunDetail) =>
  modelUse && `Measured ${usd(modelUse.measured.costUsd)}, reported by the agent ${usd(modelUse.reported.costUsd)}`

const describeTokens = ({ inputTokens, outputTokens }: RunDetail) =>
  inputTokens === null && outputTokens === null
    ? `Not reported (${emptyValue})`
    : `${count(inputTokens)} in, ${count(outputTokens)} out`
