import { appendFile, writeFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'

import { getExperiment, getYaml, type PushReceipt } from '#contract/experiments.ts'
import { listRequestsOfCommits } from '#contract/request-origins.ts'
import { listRuns } from '#contract/run-list.ts'
import { submitRuns } from '#contract/run-submission.ts'
import type { Run } from '#contract/runs.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'
import { CommandError, type ExitCode, exitCodes } from '#client/exit-codes.ts'
import { pushDefinition } from '#client/definition/push-file.ts'
import { problemLines, readDefinition } from '#client/definition/read-definition.ts'
import { readNumber, sayPrice } from '#client/runs/submit-request.ts'
import { waitForRequest } from '#client/runs/watch-request.ts'
import type { Verb, Work } from '#client/work.ts'
import { taskPatternsOf } from '#contract/task-folders.ts'
import { messageOf } from '#contract/wire/message-of.ts'
import { checkText } from '#src/editor/check-text.ts'
import { findFailing } from './find-failing.ts'
import { type Baseline, judgeChange, type Limits } from './judge-change.ts'
import { postComment } from './post-comment.ts'
import { type Pipeline, readPipeline } from './read-pipeline.ts'
import { toJunit } from './to-junit.ts'
import { commentMark, toShortSummary, toSummary } from './to-summary.ts'
import { findTouchedVariants, type Inputs } from './touched-variants.ts'

export type CiOptions = {
  repeat: string
  baselineBranch?: string
  baselineCommit?: string
  maxDrop: string
  acceptDrop?: true
  minSolved?: string
  maxCost?: string
  changed?: true
  mock?: true
  junit?: string
  summary?: string
  comment?: true
}

const codes = { passed: exitCodes.done, worse: exitCodes.no, undecided: exitCodes.undecided, broken: exitCodes.broken }

/**
 * Pushes, submits, waits, judges against the baseline, and writes what came out wherever it is wanted. What breaks is written
 * there, too: a comment that says "Passed" would otherwise stay.
 */
export const runCi =
  (file: string | undefined, options: CiOptions): Verb =>
  async (work) => {
    const limits = readLimits(options)
    const pipeline = readPipeline(work.io)
    const publish = publisher(work, pipeline, options)
    let experimentId: string | null = null
    try {
      const { path, text, definition, problems } = await readDefinition(work.io, file)
      // An invalid definition may still have an id, which finds the comment of the last push.
      experimentId = definition?.id ?? /^id: *["']?([a-z0-9-]+)/m.exec(text)?.[1] ?? null
      if (!definition) throw new CommandError(problemLines(relative(work.io.folder, path), problems))
      return await judgeFile(work, { file, options, limits, pipeline, publish })
    } catch (error) {
      const lines = messageOf(error).split('\n')
      await publish(experimentId, { summary: toShortSummary('broken', experimentId, lines), junit: null })
      throw error
    }
  }

type Judging = { file: string | undefined; options: CiOptions; limits: Limits; pipeline: Pipeline; publish: Publish }

async function judgeFile(work: Work, { file, options, limits, pipeline, publish }: Judging): Promise<ExitCode> {
  const version = await pushDefinition(work, file)
  if (!version) return exitCodes.broken
  const caller = await work.api()
  const baseline = await findBaseline(caller, { version, pipeline, options })
  const needsBaseline = pipeline.origin.branch !== baseline.branch
  const compared = options.changed && needsBaseline ? baseline.found?.fingerprint : undefined
  const variantIds = compared === undefined ? null : await readTouched(caller, version, compared)
  if (variantIds?.length === 0) return showUntouched(work, { version, publish, baseline: baseline.found })
  const requestId = await submit(work, caller, { version, pipeline, options, variantIds })
  if (!(await waitForRequest(work, caller, requestId))) return exitCodes.interrupted
  const runs = await readRuns(caller, requestId)
  const earlier = baseline.found && (await withRuns(caller, baseline.found))
  const judged = judgeChange(runs, earlier, limits)
  const judgment =
    needsBaseline && !baseline.found && judged.outcome === 'passed'
      ? {
          outcome: 'undecided' as const,
          sentences: [...judged.sentences, `There are no results of ${baseline.branch} to compare with.`],
        }
      : judged
  const report = {
    ...judgment,
    experimentId: version.experimentId,
    ordinal: version.ordinal,
    requestId,
    runs,
    baseline: earlier,
    failing: await findFailing(caller, runs, earlier?.runs ?? []),
    url: caller.url,
  }
  await publish(version.experimentId, { summary: toSummary(report), junit: toJunit(report) })
  const result = {
    outcome: judgment.outcome,
    sentences: judgment.sentences,
    runRequestId: requestId,
    baseline: baseline.found?.name ?? null,
  }
  work.show(result, `${judgment.outcome}: ${judgment.sentences.join(' ')}`)
  return codes[judgment.outcome]
}

type Untouched = { version: PushReceipt; publish: Publish; baseline: FoundBaseline | null }

/** A change that no run would see needs none. The comment of an earlier push would still speak of runs. */
async function showUntouched(work: Work, { version, publish, baseline }: Untouched): Promise<ExitCode> {
  const sentences = [`The change touches no variant of ${baseline?.name ?? 'the baseline'}, so nothing ran.`]
  const result = { outcome: 'passed' as const, sentences, runRequestId: null, baseline: baseline?.name ?? null }
  const { experimentId } = version
  const junit = toJunit({ experimentId, runs: [], url: '' })
  await publish(experimentId, { summary: toShortSummary('passed', experimentId, sentences), junit })
  work.show(result, `passed: ${sentences.join(' ')}`)
  return exitCodes.done
}

function readLimits({ maxDrop, minSolved, acceptDrop }: CiOptions): Limits {
  return {
    maxDrop: readNumber('--max-drop', maxDrop) / 100,
    minSolved: minSolved === undefined ? null : readNumber('--min-solved', minSolved) / 100,
    acceptsDrop: acceptDrop === true,
  }
}

type Submitting = { version: PushReceipt; pipeline: Pipeline; options: CiOptions }

async function submit(
  work: Work,
  caller: ApiCaller,
  { version, pipeline, options, variantIds }: Submitting & { variantIds: string[] | null },
) {
  const submission = {
    id: version.experimentId,
    version: version.fingerprint,
    repeat: readNumber('--repeat', options.repeat),
    origin: pipeline.origin,
    ...(variantIds && { variantIds }),
    ...(options.maxCost !== undefined && { maxCostUsd: readNumber('--max-cost', options.maxCost) }),
    ...(options.mock && { mock: true }),
  }
  await sayPrice(caller, work, submission)
  const { runRequestId } = await caller.call(submitRuns, submission)
  work.note(`Submitted v${version.ordinal} of ${version.experimentId}: ${runRequestId}`)
  return runRequestId
}

async function readRuns(caller: ApiCaller, runRequestId: string): Promise<Run[]> {
  const runs: Run[] = []
  let pageToken: string | undefined
  do {
    const page = await caller.call(listRuns, {
      runRequestId,
      limit: 10_000,
      ...(pageToken !== undefined && { pageToken }),
    })
    runs.push(...page.runs)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return runs.toSorted((a, b) => a.variantId.localeCompare(b.variantId) || a.repeat - b.repeat)
}

/** The newest request of the branch whose runs have all ended, or that of the commit which was asked for. */
async function findBaseline(
  caller: ApiCaller,
  { version, pipeline, options }: Submitting,
): Promise<{ branch: string; found: FoundBaseline | null }> {
  const branch = options.baselineBranch ?? pipeline.baseBranch ?? 'main'
  const { requests } = await caller.call(listRequestsOfCommits, {
    id: version.experimentId,
    branch,
    ...(options.baselineCommit !== undefined && { commit: options.baselineCommit }),
  })
  const found = requests.find(({ runCount, endedCount }) => runCount === endedCount)
  if (!found && options.baselineCommit !== undefined)
    throw new CommandError(`No finished request of ${branch} is for the commit ${options.baselineCommit}`)
  if (!found) return { branch, found: null }
  const { id, origin, experimentFingerprint: fingerprint } = found
  return { branch, found: { id, fingerprint, name: `${branch} at ${origin.commit.slice(0, 7)}` } }
}

type FoundBaseline = { id: string; fingerprint: string; name: string }

const withRuns = async (caller: ApiCaller, { id, name }: FoundBaseline): Promise<Baseline> => ({
  name,
  runs: await readRuns(caller, id),
})

type Publish = (experimentId: string | null, texts: { summary: string; junit: string | null }) => Promise<void>

/** Writes the summary, the JUnit file and the comment to where the options want them. */
const publisher =
  (work: Work, pipeline: Pipeline, { junit, summary, comment: isWanted }: CiOptions): Publish =>
  async (experimentId, texts) => {
    const { io } = work
    const place = summary ?? io.env['GITHUB_STEP_SUMMARY']
    if (place) await appendFile(resolve(io.folder, place), texts.summary)
    if (junit !== undefined && texts.junit !== null) await writeFile(resolve(io.folder, junit), texts.junit)
    if (isWanted && experimentId !== null)
      await comment(work, pipeline, { mark: commentMark(experimentId), text: texts.summary })
  }

/** A comment that cannot be written changes no verdict. */
async function comment(work: Work, { comment: place }: Pipeline, { mark, text }: { mark: string; text: string }) {
  if (!place) return work.note('No comment: this is no pull request, or there is no token for it')
  try {
    await postComment(work.io, place, { mark, text: `${mark}\n${text}` })
  } catch (error) {
    work.note(`The comment could not be written: ${messageOf(error)}`)
  }
}

/** The ids of the variants that a version has changed since an earlier one, or null if this cannot be told. */
async function readTouched(
  caller: ApiCaller,
  { experimentId, fingerprint }: PushReceipt,
  earlier: string,
): Promise<string[] | null> {
  const before = await readInputs(caller, experimentId, earlier)
  const after = await readInputs(caller, experimentId, fingerprint)
  return before && after && findTouchedVariants(before, after).map(({ variantId }) => variantId)
}

async function readInputs(caller: ApiCaller, id: string, version: string): Promise<Inputs | null> {
  const { definition } = checkText(await caller.call(getYaml, { id, version }))
  // The YAML does not have the tasks of folders.
  if (!definition || taskPatternsOf(definition).length > 0) return null
  const { dependencies } = await caller.call(getExperiment, { id, version })
  return { definition, hashes: new Map(dependencies.map(({ source, tarSha256 }) => [source, tarSha256 ?? ''])) }
}
