import { counted, percent } from './numbers.ts'
import type { Comparison } from '#statistics/compare-groups.ts'
import { fewestPrompts } from '#statistics/scope.ts'

/** The words for a measure, as in `careful scores 12 points higher than hasty in mean test pass rate`. */
export type MeasureWords = {
  verb: string
  more: string
  less: string
  /** The compared quantity, if the verb does not name it. */
  detail?: string
  /** `point`, `points`; omitted if the amount includes its unit. */
  unit?: readonly [one: string, many: string]
  /** A non-negative amount without its unit, as precise as the amounts beside it. */
  bare: (value: number, beside?: readonly number[]) => string
}

/** `12 points` */
export const amountOf = ({ bare, unit }: MeasureWords, value: number, beside?: readonly number[]) => {
  const text = bare(Math.abs(value), beside?.map(Math.abs))
  return unit ? `${text} ${text === '1' ? unit[0] : unit[1]}` : text
}

/** `+` or `−`; empty if the text reads as zero. */
export const signOf = (value: number, text: string) => (/[1-9]/.test(text) ? (value < 0 ? '−' : '+') : '')

type Names = { left: string; right: string; words: MeasureWords }

/** States the result of a comparison in one sentence with its scope, and claims no more than the interval allows. */
export function comparisonSentence(comparison: Comparison, names: Names): string {
  const { verdict, difference, interval } = comparison
  if (verdict === 'unmatched' || difference === null) return unknownSentence(comparison, names)
  const { left, right } = names
  const where = scopeWords(comparison)
  const size = sizeOf(comparison)
  const most = comparison.bound !== null && isInPoints(names.words) && amountOf(names.words, comparison.bound)
  const seen = `observed ${signedAmount(names.words, difference)}${most ? `, at most ${most} with 95 % confidence` : ''}`
  if (verdict === 'too few') {
    return comparison.scope === 'prompts like these'
      ? `Not enough ${unitOf(comparison)}s to compare ${left} with ${right} ${where}: at least ${fewestPrompts} are needed (${seen}; ${size}).`
      : `Not enough runs to compare ${left} with ${right} ${where} (${seen}; ${size}).`
  }
  if (!interval) return withoutInterval(comparison, difference, names)
  const beside = [difference, interval.low, interval.high]
  const range = [interval.low, interval.high].map((value) => signedBare(names.words, value, beside)).join(' to ')
  if (verdict === 'differs') return `${direction(names, difference, beside)} ${where}: 95 % CI ${range} (${size}).`
  return `Inconclusive ${where}: ${left} − ${right} = ${signedAmount(names.words, difference, beside)}, 95 % CI ${range} (${size}).`
}

function withoutInterval(comparison: Comparison, difference: number, names: Names) {
  const { scope, verdict, bound } = comparison
  const [where, size] = [scopeWords(comparison), sizeOf(comparison)]
  if (verdict === 'identical') {
    const all = `all runs of ${names.left} and ${names.right} have the same result`
    const place = comparison.cells.length > 1 ? `on each matched ${matchedNoun(comparison)}, ${all}` : `${all} ${where}`
    return `No difference observed: ${place}. ${allowed(comparison, names.words)} (95 % confidence; ${size}).`
  }
  const why =
    scope === 'prompts like these'
      ? `no confidence interval: the difference is the same on every ${unitOf(comparison)}, so its spread over ${unitOf(comparison)}s is unknown`
      : 'no confidence interval: these runs do not show how much the difference changes by chance'
  if (verdict === 'differs') return `${direction(names, difference)} ${where} (${why}; ${size}).`
  if (bound !== null && isInPoints(names.words))
    return `No difference observed: both have the same mean on each prompt. ${allowed(comparison, names.words)} (95 % confidence; ${size}).`
  return `Inconclusive ${where}: ${names.left} − ${names.right} = ${signedAmount(names.words, difference)} (${why}; ${size}).`
}

/** Rates cannot differ by more than 100 points. */
const isInPoints = ({ unit }: MeasureWords) => unit?.[0] === 'point'

/** How much groups without any difference may still differ: of a rate in points, of amounts in how many results. */
function allowed(comparison: Comparison, words: MeasureWords) {
  const bound = comparison.bound ?? 1
  const where = scopeWords(comparison)
  if (isInPoints(words)) return `They may still differ by up to ${amountOf(words, bound)} ${where}`
  return `One run of each may still differ with a probability of up to ${percent(bound, 1)} ${where}`
}

/** `careful scores 12 points higher than hasty in mean test pass rate` */
function direction({ left, right, words }: Names, difference: number, beside?: readonly number[]) {
  const amount = amountOf(words, difference, beside)
  const detail = words.detail ? ` ${words.detail}` : ''
  return `${left} ${words.verb} ${amount} ${difference < 0 ? words.less : words.more} than ${right}${detail}`
}

function signedAmount(words: MeasureWords, value: number, beside?: readonly number[]) {
  const text = amountOf(words, value, beside)
  return signOf(value, text) + text
}

function signedBare({ bare }: MeasureWords, value: number, beside: readonly number[]) {
  const text = bare(Math.abs(value), beside.map(Math.abs))
  return signOf(value, text) + text
}

/** The scope of a verdict, as its sentence says it. */
export function scopeWords({ scope, prompts }: Pick<Comparison, 'scope' | 'prompts'>) {
  if (scope === 'prompts like these') return 'on prompts like these'
  if (prompts.used === 0) return 'on this experiment'
  return prompts.used === 1 ? 'on this prompt' : `on these ${counted(prompts.used, 'prompt')}`
}

/** What the runs of both groups have in common: their prompt, or a combination of it with other axes. */
export const matchedNoun = ({ cells, prompts }: Pick<Comparison, 'cells' | 'prompts'>) =>
  prompts.used === cells.length ? 'prompt' : 'combination'

/** What is a sample: prompts, or the tasks that they say they are variants of. */
export const unitOf = ({ prompts }: Pick<Comparison, 'prompts'>) => (prompts.tasks === undefined ? 'prompt' : 'task')

/** `60 prompts`, or `60 prompts of 20 tasks` */
export const promptsText = ({ used, tasks }: Comparison['prompts'], noun = 'prompt') =>
  counted(used, noun) + (tasks === undefined ? '' : ` of ${counted(tasks, 'task')}`)

function sizeOf({ scope, prompts, left, right, cells }: Comparison) {
  return [
    scope === 'prompts like these' && promptsText(prompts),
    `${left.used} vs ${counted(right.used, 'run')}`,
    cells.length > 1 && cells.length !== prompts.used && counted(cells.length, 'matched combination'),
    prompts.leftOut > 0 && `${counted(prompts.leftOut, 'prompt')} excluded`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}

function unknownSentence({ left, right }: Comparison, names: { left: string; right: string }) {
  const withValue = (use: Comparison['left']) => use.used + use.unmatched + use.alone
  for (const [name, use] of [
    [names.left, left],
    [names.right, right],
  ] as const) {
    if (withValue(use) === 0) return `No run of ${name} has a value to compare.`
  }
  if (left.alone > 0)
    return `Not enough runs to compare ${names.left} with ${names.right}: only one prompt or combination matches, and one side has a single run of it.`
  return `${names.left} and ${names.right} cannot be matched because they share no combination of the other axes.`
}
