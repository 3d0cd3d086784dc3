import { visibleText } from '#contract/visible-text.ts'
import type { ReportCase } from './report-case.ts'
import { readTime } from './report-time.ts'
import { withoutEscapes } from './report-text.ts'

/** Longer names are cut anyway, and every pattern below works on at most this many characters. */
const maxCharacters = 4000

const retryCounter =
  /(?<!\s)\s*[([](?:re-?try|re-?run|attempt|repeat|run|try)s?[ #:x]*\d+(?:\s*(?:\/|of)\s*\d+)?[)\]]$/i
/** A duration with its unit, as a part of patterns. */
export const timeOfCase = String.raw`\d+(?:[.,]\d+)?\s?(?:ns|[uµμ]s|ms|s|secs?|seconds?|min|m)`
const bracketedTime = new RegExp(String.raw`\s*[([](?:in |took )?(${timeOfCase})[)\]]$`, 'i')
const spokenTime = new RegExp(String.raw`\s+in (${timeOfCase})$`, 'i')

type Measured = Pick<ReportCase, 'name' | 'durationMs'>

/**
 * Removes the duration and the retry counter that some writers put at the end of a name, such as `in 12ms`, `(3 ms)` or
 * `(retry 1)`: they differ in each run. A time without brackets may belong to the title of a case whose report has a
 * duration of its own.
 */
export function withoutCounters<Case extends Measured>(entry: Case): Case {
  let { name, durationMs } = entry
  for (let cuts = 0; cuts < 3; cuts += 1) {
    const retry = retryCounter.exec(name)
    const timing = bracketedTime.exec(name) ?? (durationMs === null ? spokenTime.exec(name) : null)
    const found = retry ?? timing
    if (!found || found.index === 0) break
    name = name.slice(0, found.index)
    durationMs ??= readTime(timing?.[1])
  }
  return { ...entry, name, durationMs }
}

/** A name on one line, without colors, with control characters and changes of direction visible. */
export const plainName = (name: string) =>
  visibleText(withoutEscapes(name.slice(0, maxCharacters)).replace(/\s+/g, ' ').trim())

/** `<group>/<name>`, or one of them if both are equal or the other is empty. */
export const caseName = ({ group, name }: Pick<ReportCase, 'group' | 'name'>) =>
  group === name ? name : [group, name].filter((part) => part !== '').join('/')
