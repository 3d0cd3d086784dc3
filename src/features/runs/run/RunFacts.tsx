import { shortDigest } from '#contract/mixed-images.ts'
import { costOfRun } from '#contract/run-cost.ts'
import { otherModels, type ReportedUsage } from '#contract/run-usage.ts'
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
import mutedText from '#src/ui/muted-text.module.css'
import { StatusHistory } from './StatusHistory.tsx'
import { scoresBesideSteps } from './tests-by-step.ts'

const scoreTitle = (value: number | null, threshold: number) =>
  value === null
    ? 'A score whose value is unknown'
    : `A score that ${value >= threshold ? 'passes' : 'does not pass'}: the least value is ${scoreText(threshold)}`

/** Axes, measurements and history of a run in one band. A missing measurement shows a dash. */
export function RunFacts({ run }: { run: RunDetail }) {
  const atLeast = run.reportedUsage?.atLeast
  const others = run.reportedUsage ? otherModels(run.reportedUsage, run.model) : []
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
            <Fact key={name} name={name} title={name === 'Prompt' ? run.promptText : undefined} isInHeading>
              {value}
            </Fact>
          ),
      )}
      <Fact name="Time" title={describeLimit(run)}>
        <RunTime run={run} />
        {run.timeLimit && <span className={mutedText.plain}> of {limitText(run.timeLimit.budgetSeconds)}</span>}
      </Fact>
      <Fact name="Tokens" title={describeTokens(run)}>
        {run.totalTokens === null && atLeast?.inputTokens != null
          ? `at least ${tokens(atLeast.inputTokens + (atLeast.outputTokens ?? 0))}`
          : tokens(run.totalTokens)}
      </Fact>
      {others.length > 0 && (
        <Fact name="Answered by" title={describeModels(run)}>
          {others.join(', ')}
        </Fact>
      )}
      <Fact name="Tool calls">
        {count(run.toolCalls)}
        {(run.toolFailures ?? 0) > 0 && <span className={mutedText.plain}>, {count(run.toolFailures)} failed</span>}
      </Fact>
      <Fact name="Cost" title={describeCost(run)}>
        {costText(run)}
        <span className={mutedText.plain}>{describeParts(run)}</span>
        {run.costLimit && <span className={mutedText.plain}>{describeCostLimit(run.costLimit)}</span>}
      </Fact>
      {scoresBesideSteps(run).map(({ name, value, threshold }) => (
        <Fact key={`score ${name}`} name={name} title={scoreTitle(value, threshold)}>
          {value === null ? 'unknown' : scoreText(value)}
          {threshold !== 1 && <span className={mutedText.plain}>, needs {scoreText(threshold)}</span>}
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
            <span className={mutedText.plain}>
              {' '}
              changed: <TextLink href={paths.run(run.imageChanged.runRequestId)}>another request</TextLink> had{' '}
              <code>{shortDigest(run.imageChanged.digest)}</code>
            </span>
          )}
        </Fact>
      )}
      {run.source && (
        <Fact name="From" title={run.source.file}>
          {run.source.importId === undefined ? (
            run.source.tool
          ) : (
            <TextLink href={paths.importResults({ id: run.source.importId })}>{run.source.tool}</TextLink>
          )}{' '}
          <span className={mutedText.plain}>
            {run.source.toolVersion && `${run.source.toolVersion}, `}
            {shortFile(run.source.file)}
          </span>
        </Fact>
      )}
      <Fact name="History">
        <StatusHistory history={run.statusHistory} />
      </Fact>
    </FactBand>
  )
}

/** The end of a path, which tells files apart. */
const shortFile = (file: string) => (file.length > 40 ? `…${file.slice(-39)}` : file)

const describeImage = ({ imageDigest, imageChanged, ordinal, environment }: RunDetail) =>
  imageChanged
    ? `${imageDigest}. The image of ${environment} changed between requests of v${ordinal}, so their results may differ for that reason. The other image: ${imageChanged.digest}`
    : imageDigest

/** Models and compute together, of all attempts, as they are charged. */
function costText(run: RunDetail) {
  const known = run.costUsd ?? run.reportedUsage?.atLeast?.costUsd ?? null
  const earlier = run.earlierAttempts?.costUsd ?? 0
  const ofRun = costOfRun({ ...run, costUsd: known })
  const total = ofRun === null ? null : ofRun + earlier
  return total !== null && run.costUsd === null && known !== null ? `at least ${usd(total)}` : usd(total)
}

/** ` models $0.12 measured, compute $0.01` */
function describeParts(run: RunDetail) {
  const { costUsd, computeUsd, earlierAttempts } = run
  const models = costUsd === null ? [] : [`models ${usd(costUsd)} ${sourceOf(run)}`]
  const compute = computeUsd === undefined ? [] : [`compute ${usd(computeUsd)}`]
  const earlier = earlierAttempts?.costUsd ? [`models of earlier attempts ${usd(earlierAttempts.costUsd)}`] : []
  const parts = [...models, ...earlier, ...compute]
  return parts.length === 0 ? '' : ` ${parts.join(', ')}`
}

/** Who says the cost of the models: the gateway, or the agent. */
const sourceOf = ({ modelUse }: RunDetail) =>
  modelUse && modelUse.callCount > 0 && modelUse.measured.costUsd !== null ? 'measured' : 'reported'

const limitText = (budget: number) => (budget === 0 ? 'no limit' : seconds(budget))

function describeLimit({ timeLimit }: RunDetail) {
  if (!timeLimit) return 'No time limit recorded (older run)'
  const cap = timeLimit.planCapSeconds === 0 ? 'none or unknown' : seconds(timeLimit.planCapSeconds)
  return `${timeLimit.hit ? 'Timed out. ' : ''}Limit ${limitText(timeLimit.budgetSeconds)}, plan cap ${cap}`
}

const describeCostLimit = ({ maxCostUsd, scope }: NonNullable<RunDetail['costLimit']>) =>
  scope === 'request' ? `, budget of the request ${usd(maxCostUsd)}` : ` of ${usd(maxCostUsd)}`

function describeCost({ modelUse, reportedUsage, costUsd }: RunDetail) {
  if (modelUse)
    return `Measured ${usd(modelUse.measured.costUsd)}, reported by the agent ${usd(modelUse.reported.costUsd)}`
  if (costUsd !== null)
    return 'As reported by the agent: its own cost, or its tokens at the prices of the models that answered'
  return reportedUsage?.atLeast ? whyPart(reportedUsage) : undefined
}

function whyPart({ models, atLeast }: ReportedUsage) {
  if (atLeast?.inputTokens !== null) return 'The agent ended before it reported its whole usage'
  const unpriced = models.filter(({ costUsd }) => costUsd === null).map(({ model }) => model)
  return unpriced.length === 0
    ? 'The price of some of the tokens is unknown'
    : `The price of ${unpriced.join(', ')} is unknown`
}

const describeModels = ({ reportedUsage, model }: RunDetail) =>
  [
    `The run asked for ${model}, and it is compared under that model. The agent reports:`,
    ...(reportedUsage?.models ?? []).map(
      ({ model, inputTokens, outputTokens, costUsd }) =>
        `${model}: ${count(inputTokens)} in, ${count(outputTokens)} out, ${costUsd === null ? 'price unknown' : usd(costUsd)}`,
    ),
  ].join('\n')

const describeTokens = ({ inputTokens, outputTokens }: RunDetail) =>
  inputTokens === null && outputTokens === null
    ? `Not reported (${emptyValue})`
    : `${count(inputTokens)} in, ${count(outputTokens)} out`
