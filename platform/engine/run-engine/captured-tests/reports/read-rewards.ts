import { maxScoreNameCharacters, maxScores } from '#contract/scores.ts'
import type { TestReport } from '#contract/task-fields.ts'
import type { TestCapture } from '#platform/queue/run-queue/record-tests.ts'
import { toStorableText } from '#platform/queue/run-queue/storable-text.ts'
import { parseRewards, type Reward } from './parse-rewards.ts'
import { plainName } from './case-name.ts'
import type { ReadReport } from './read-report.ts'
import { reportText } from './report-text.ts'
import { cutMiddle } from './unique-names.ts'

const defaultThreshold = 1

type Asked = {
  report: Pick<TestReport, 'threshold' | 'thresholds'>
  /** Whether another test of the run has rewards too, so that each needs the name of its test. */
  isOneOfSeveral: boolean
  mask: (text: string) => string
}

const maxBytes = 64 * 1024

/**
 * Returns a captured test for each reward, with its score: passed from its threshold on, unresolved if its value is
 * unknown or if it has a threshold and is missing. The command's output is in the first one. Throws an Error with a
 * reason if the report is invalid or empty.
 */
export function readRewards(
  command: TestCapture,
  bytes: Uint8Array,
  { report, isOneOfSeveral, mask }: Asked,
): ReadReport {
  // Reading that many takes the thread of other runs no time worth a process of its own.
  if (bytes.length > maxBytes) throw new Error('it is larger than 64 KiB')
  const found = parseRewards(mask(reportText(bytes)))
  const missing = Object.keys(report.thresholds ?? {}).filter((name) => !found.some((reward) => reward.name === name))
  const all = [...found, ...missing.map((name) => ({ name, value: null, problem: 'The report has no such reward' }))]
  const rewards = withDistinctNames(
    all.slice(0, maxScores).map((reward) => ({ ...reward, name: toName(mask(reward.name)) })),
  )
  const captures = rewards.map((reward, index): TestCapture => {
    const threshold = thresholdOf(reward, report)
    const { outcome, says } = judge(reward, threshold)
    const name = isOneOfSeveral ? `${command.name}/${reward.name}` : reward.name
    return {
      ...(index === 0 ? command : { ...command, exitCode: null, durationMs: null, stdoutTail: '', stderrTail: '' }),
      name: `${command.name}/${reward.name}`,
      outcome,
      ...withSentence(index === 0 ? command : null, outcome, mask(says)),
      score: { name: cutMiddle(name, maxScoreNameCharacters), value: reward.value, threshold },
    }
  })
  const problems =
    all.length > maxScores ? [`The report contains ${all.length} rewards; only the first ${maxScores} are stored`] : []
  return { captures, problems }
}

const toName = (name: string) =>
  cutMiddle(plainName(toStorableText(name)).trim() || '(no name)', maxScoreNameCharacters)

/** Names that differ only in blanks or control characters would be one score. */
function withDistinctNames(rewards: readonly Reward[]): Reward[] {
  const taken = new Set<string>()
  return rewards.map((reward) => {
    let name = reward.name
    for (let count = 2; taken.has(name); count += 1)
      name = `${cutMiddle(reward.name, maxScoreNameCharacters - 5)} #${count}`
    taken.add(name)
    return { ...reward, name }
  })
}

const thresholdOf = ({ name }: Reward, { threshold = defaultThreshold, thresholds = {} }: Asked['report']) =>
  Object.hasOwn(thresholds, name) ? (thresholds[name] ?? threshold) : threshold

function judge({ value, problem }: Reward, threshold: number) {
  if (value === null) return { outcome: 'unresolved' as const, says: problem ?? 'Its value is unknown' }
  return value >= threshold
    ? { outcome: 'passed' as const, says: `${value}, and ${threshold} passes` }
    : { outcome: 'failed' as const, says: `${value} is below ${threshold}, the least value that passes` }
}

/** Puts the sentence first in the stream where readers look for the reason of the outcome. */
function withSentence(command: TestCapture | null, outcome: 'passed' | 'failed' | 'unresolved', says: string) {
  const [stdout, stderr] = [command?.stdoutTail ?? '', command?.stderrTail ?? '']
  return outcome === 'passed'
    ? { stdoutTail: joined(says, stdout), stderrTail: stderr }
    : { stdoutTail: stdout, stderrTail: joined(says, stderr) }
}

const joined = (...texts: string[]) => texts.filter((text) => text !== '').join('\n')
