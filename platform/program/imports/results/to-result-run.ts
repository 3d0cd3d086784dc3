import { maxScoreNameCharacters, maxScores } from '#contract/scores.ts'
import { messageOf } from '#contract/wire/message-of.ts'
import { secondsBetween, toTime } from '#platform/program/import-formats/reading/read-times.ts'
import type { ArchivedTest } from '#platform/program/import-formats/reading/archive-format.ts'
import { toAxisId, toDistinctId } from '#platform/ground/ids/axis-id.ts'
import type { FoundRun, FoundScore, FoundTest } from '#platform/program/import-formats/reading/found-run.ts'
import { readTranscriptLines } from './read-transcript-lines.ts'
import type { ResultRun } from './result-run.ts'
import { toCleanText } from '#platform/program/import-formats/reading/clean-text.ts'
import { withVerdict } from './verdict.ts'

const maxTests = 5000
const maxTailCharacters = 16 * 1024
/** The outputs of all tests of a run. */
const maxOutputCharacters = 4 * 1024 * 1024
const tooMuch = 'Left out, because the tests of this run have too much output together.'
const maxReasonCharacters = 2000
const maxNameCharacters = 500
const maxFileCharacters = 2000
const maxTaskCharacters = 100
const maxCostUsd = 1e9
const maxSeconds = 1e9
/** A definition has the texts of all prompts, and 1 MB. The transcript has the whole text. */
const maxPromptCharacters = 20_000

const cut = (text: string, limit: number) => toCleanText(text.length > limit ? `${text.slice(0, limit - 1)}…` : text)

const tail = (text: string) => toCleanText(text.slice(-maxTailCharacters))

/** Turns what a tool wrote into a run that can be stored: names of axes, bounded texts, possible numbers. */
export async function toResultRun(found: FoundRun, tool: string): Promise<ResultRun> {
  const prompt = toDistinctId(found.prompt)
  const read = await readTranscript(found)
  const testOutput = (await found.testOutput?.()) ?? ''
  const inputTokens = toCount(found.inputTokens ?? read?.tokens.inputTokens)
  const outputTokens = toCount(found.outputTokens ?? read?.tokens.outputTokens)
  const both = (inputTokens ?? 0) + (outputTokens ?? 0)
  const { batch } = found
  return {
    batch: { id: toCleanText(batch.id), file: batch.file, createdAt: toTime(batch.createdAt) },
    key: found.key.map(toCleanText),
    file: cut(found.file, maxFileCharacters),
    tool,
    toolVersion: found.toolVersion ? cut(found.toolVersion, maxNameCharacters) : null,
    agent: toAxisId(found.agent),
    model: toAxisId(found.model ?? 'unknown'),
    prompt,
    promptText: cut(found.promptText?.trim() || found.prompt, maxPromptCharacters),
    repeat: toRepeat(found.repeat),
    status: found.status ?? 'completed',
    reason: found.reason ? cut(found.reason, maxReasonCharacters) : null,
    timeLimitHit: found.timeLimitHit ?? false,
    infrastructureCause: found.infrastructureCause ?? null,
    tests: withBoundedOutput(
      found.archived
        ? found.archived.tests.map(toStorableTest)
        : toTests(withVerdict(found), {
            task: found.prompt.length > maxTaskCharacters ? prompt : found.prompt,
            testOutput,
          }),
    ),
    scores: toScores(found.scores ?? []),
    inputTokens,
    outputTokens,
    // A sum above 2^53 − 1 is not exact.
    totalTokens: inputTokens !== null && outputTokens !== null && Number.isSafeInteger(both) ? both : null,
    costUsd: toAmount(found.costUsd ?? read?.tokens.costUsd, maxCostUsd),
    wallSeconds: toAmount(
      found.wallSeconds === undefined ? secondsBetween(found.startedAt, found.endedAt) : found.wallSeconds,
      maxSeconds,
    ),
    startedAt: toTime(found.startedAt),
    endedAt: toTime(found.endedAt),
    transcript: read?.transcript ?? null,
    archived: found.archived ? { fingerprint: found.archived.fingerprint, values: found.archived.values } : null,
    changes: (await found.changes?.()) ?? null,
    trace: (await found.trace?.()) ?? null,
  }
}

const toStorableTest = ({ name, stdoutTail, stderrTail, ...test }: ArchivedTest): ResultRun['tests'][number] => ({
  ...test,
  name: cut(name, maxNameCharacters),
  stdoutTail: tail(stdoutTail),
  stderrTail: tail(stderrTail),
})

/** A transcript that cannot be read says why, and the run comes in. */
async function readTranscript({ transcript }: FoundRun) {
  try {
    const lines = await transcript?.()
    return lines ? await readTranscriptLines(lines) : null
  } catch (error) {
    const text = `The transcript could not be read: ${messageOf(error)}`
    return readTranscriptLines({ turns: [{ ts: null, role: 'system', kind: 'message', text }] })
  }
}

/** All tests of a run can have the same long output. The first ones keep theirs. */
function withBoundedOutput(tests: ResultRun['tests']): ResultRun['tests'] {
  let left = maxOutputCharacters
  const keep = (text: string) => {
    left -= text.length
    return left < 0 && text !== '' ? tooMuch : text
  }
  return tests.map((test) => ({ ...test, stdoutTail: keep(test.stdoutTail), stderrTail: keep(test.stderrTail) }))
}

function toTests(
  tests: readonly FoundTest[],
  { task, testOutput }: { task: string; testOutput: string },
): ResultRun['tests'] {
  const times = new Map<string, number>()
  return tests.slice(0, maxTests).map(({ name, outcome, durationMs, output = testOutput, message = '' }) => {
    const wanted = cut(`${task}/${name}`, maxNameCharacters)
    const time = (times.get(wanted) ?? 0) + 1
    times.set(wanted, time)
    return {
      name: time === 1 ? wanted : `${wanted} #${time}`,
      outcome,
      exitCode: null,
      durationMs: durationMs == null || !Number.isFinite(durationMs) ? null : Math.max(0, Math.round(durationMs)),
      stdoutTail: tail(output),
      stderrTail: tail(message),
    }
  })
}

const toScores = (scores: readonly FoundScore[]): ResultRun['scores'] =>
  [...new Map(scores.map((score) => [cut(score.name, maxScoreNameCharacters), score]))]
    .slice(0, maxScores)
    .map(([name, { value, threshold = 1 }]) => ({
      name: name || 'score',
      value: value !== null && Number.isFinite(value) ? value : null,
      threshold,
    }))

const maxRepeat = 1_000_000

const toRepeat = (repeat: number | null | undefined) =>
  repeat != null && Number.isInteger(repeat) && repeat >= 1 && repeat <= maxRepeat ? repeat : null

const toCount = (count: number | null | undefined) =>
  count != null && Number.isSafeInteger(Math.round(count)) && count >= 0 ? Math.round(count) : null

const toAmount = (amount: number | null | undefined, most: number) =>
  amount != null && Number.isFinite(amount) && amount >= 0 && amount <= most ? amount : null
