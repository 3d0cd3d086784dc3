import { z } from 'zod'

import { FailureKind } from '#contract/failure-signatures.ts'
import { type InfrastructureCause, isOfDefinition } from '#contract/infrastructure.ts'
import { isSolved, type Outcome } from '#contract/outcomes.ts'
import { exitCodeInWords } from '#contract/exit-codes.ts'
import { findMessage } from './find-message.ts'
import { normalizeMessage } from './normalize-message.ts'

/** One failure of a run: of a test, of a tool call, or of the run itself. `place` is its position among them. */
export const FoundFailure = z.object({
  place: z.int(),
  kind: FailureKind,
  signature: z.string(),
  testName: z.string().nullable(),
  turn: z.int().nullable(),
  example: z.string(),
})
export type FoundFailure = z.infer<typeof FoundFailure>

export type EndedRun = {
  status: string
  statusReason: string | null
  /** Absent, like null, for a run that infrastructure did not end. */
  infrastructureCause?: InfrastructureCause | null
  timeLimitHit: boolean | null
  agentExitCode: number | null
  testsPassed: number
  testsFailed: number
  testsUnresolved: number
  testsErrored: number
  testsSkipped: number
}

export type FailedTest = {
  ordinal: number
  name: string
  outcome: Outcome
  exitCode: number | null
  stdoutTail: string
  stderrTail: string
}

export type FailedTurn = { seq: number; tool?: string | undefined; text: string }

/** The places of failures that are not of a test. Tests follow. */
const places = { ending: 0, agentExit: 1, toolError: 2, tests: 3 }

/** Whether the run counts as failed when nothing of its tests says so. A canceled run was not given its chance. */
const mayHaveFailed = (run: EndedRun) => run.status !== 'canceled' && solvedOf(run) !== true

const solvedOf = (run: EndedRun) =>
  isSolved(run, {
    passed: run.testsPassed,
    failed: run.testsFailed,
    unresolved: run.testsUnresolved,
    errored: run.testsErrored,
    skipped: run.testsSkipped,
  })

const ofRun = { testName: null, turn: null }

/** The failures that the end of a run says: its time limit, another error, the exit code of the agent. */
export function failuresOfEnding(run: EndedRun): FoundFailure[] {
  if (!mayHaveFailed(run)) return []
  const ending = causeOf(run)
  const { agentExitCode } = run
  const exit = agentExitCode !== null && agentExitCode !== 0 && `Agent exited with code ${agentExitCode}`
  return [
    ...(ending ? [{ ...ofRun, ...ending, place: places.ending }] : []),
    ...(exit
      ? [
          {
            ...ofRun,
            place: places.agentExit,
            kind: 'agent_exit' as const,
            signature: exit,
            example: run.statusReason ?? exit,
          },
        ]
      : []),
  ]
}

type Cause = Pick<FoundFailure, 'kind' | 'signature' | 'example'>

function causeOf({ timeLimitHit, status, statusReason, infrastructureCause }: EndedRun): Cause | null {
  if (timeLimitHit)
    return {
      kind: 'timeout',
      signature: 'Time limit of the run reached',
      example: statusReason ?? 'Time limit of the run reached',
    }
  if (status !== 'errored') return null
  const reason = statusReason ?? 'The run errored without a reason'
  const kind = infrastructureCause && !isOfDefinition(infrastructureCause) ? 'infrastructure' : 'run_error'
  return { kind, signature: normalizeMessage(reason) ?? reason, example: reason }
}

/** The failure of a test that did not pass; null for one that did, was skipped, or was canceled with its run. */
export function failureOfTest(run: EndedRun, test: FailedTest): FoundFailure | null {
  if (test.outcome === 'passed' || test.outcome === 'skipped' || run.status === 'canceled') return null
  return { place: places.tests + test.ordinal, testName: test.name, turn: null, ...signatureOf(run, test) }
}

function signatureOf(run: EndedRun, test: FailedTest): Cause {
  const { outcome, stdoutTail, stderrTail, name } = test
  if (outcome === 'unresolved') return unresolvedSignature(run, test)
  const found = findMessage(stderrTail, name) ?? findMessage(stdoutTail, name)
  if (found) return { kind: 'message', ...found }
  if (outcome === 'errored') return causeOf(run) ?? reasonOf(run) ?? withoutMessage(test)
  return withoutMessage(test)
}

/** The platform writes why a test was stopped at the end of its output. A test that never ran has none. */
function unresolvedSignature(run: EndedRun, test: FailedTest): Cause {
  const note = test.stderrTail.slice(test.stderrTail.lastIndexOf('\n') + 1)
  if (note.startsWith('The test timed out')) return { kind: 'timeout', signature: 'The test timed out', example: note }
  if (note !== '')
    return { kind: 'message', signature: normalizeMessage(note) ?? note.slice(0, 200), example: note.slice(0, 1000) }
  return causeOf(run) ?? reasonOf(run) ?? withoutMessage(test)
}

/** A run that completed may still say why its tests did not: `The tests timed out`. */
function reasonOf({ statusReason }: EndedRun): Cause | null {
  const signature = statusReason && normalizeMessage(statusReason)
  if (!signature) return null
  return { kind: /timed? ?out/iu.test(signature) ? 'timeout' : 'message', signature, example: statusReason }
}

function withoutMessage({ exitCode, name, outcome }: FailedTest): Cause {
  if (exitCode !== null && exitCode !== 0)
    return {
      kind: 'exit_code',
      signature: `${name}: exit ${exitCodeInWords(exitCode)}`,
      example: `${name}: exit ${exitCodeInWords(exitCode)}, no output`,
    }
  return { kind: 'test', signature: name, example: `${name}: ${outcome}, without a message` }
}

/** The last tool call of a run that reported an error, if the run failed. */
export function failureOfTool(run: EndedRun, turn: FailedTurn | null): FoundFailure | null {
  if (!turn || run.status === 'canceled' || solvedOf(run) !== false) return null
  const found = findMessage(turn.text)
  const tool = turn.tool ? `${turn.tool}: ` : ''
  const shared = { place: places.toolError, kind: 'tool_error' as const, testName: null, turn: turn.seq }
  return {
    ...shared,
    signature: `${tool}${found?.signature ?? 'failed without a message'}`,
    example: found?.example ?? '',
  }
}
