import type { Outcome } from '#contract/outcomes.ts'
import { withoutEscapes } from './report-text.ts'

const maxCharacters = 80

/** The words of many writers for how a case ended, in lower case and without spaces, hyphens and underscores. */
const words: Readonly<Record<Outcome, readonly string[]>> = {
  passed: [
    'pass',
    'passed',
    'success',
    'successful',
    'succeeded',
    'ok',
    'run',
    'completed',
    'complete',
    'fixed',
    'done',
  ],
  failed: ['fail', 'failed', 'failure', 'failing', 'notok', 'unsuccessful'],
  errored: ['error', 'errored', 'broken', 'crashed', 'crash', 'aborted', 'killed', 'notrunnable', 'invalid'],
  skipped: [
    'skip',
    'skipped',
    'ignore',
    'ignored',
    'disabled',
    'suppressed',
    'notrun',
    'notexecuted',
    'pending',
    'todo',
    'inactive',
    'excluded',
    'filtered',
    'untested',
    'notapplicable',
    'xfail',
    'xfailed',
    'xpass',
    'xpassed',
    'expectedfailure',
    'unexpectedsuccess',
    'unexpectedpass',
    'blocked',
  ],
  unresolved: [
    'unknown',
    'other',
    'warning',
    'warn',
    'risky',
    'incomplete',
    'inconclusive',
    'undefined',
    'timeout',
    'timedout',
  ],
}

const outcomeOfWord = new Map(
  Object.entries(words).flatMap(([outcome, list]) => list.map((word) => [word, outcome as Outcome] as const)),
)

/** Escaped colors become escape sequences only when the report is parsed. */
const plain = (word: string) =>
  withoutEscapes(word.slice(0, maxCharacters))
    .toLowerCase()
    .replace(/[\s_-]+/g, '')

/** The outcome that a word means. A word that nobody knows is unresolved, never passed. */
export const outcomeOf = (word: string): Outcome => outcomeOfWord.get(plain(word)) ?? 'unresolved'

/** The outcome that a word means, or null if it is not one of these words. */
export const knownOutcome = (word: string): Outcome | null => outcomeOfWord.get(plain(word)) ?? null

const fromWorst = ['errored', 'failed', 'unresolved', 'skipped', 'passed'] as const satisfies readonly Outcome[]

/** 0 for the worst outcome. */
export const severity = (outcome: Outcome) => fromWorst.indexOf(outcome)

/** The strictest of what a report says about one case, passed if it says nothing. */
export const strictest = (outcomes: readonly Outcome[]) =>
  fromWorst.find((outcome) => outcomes.includes(outcome)) ?? 'passed'
