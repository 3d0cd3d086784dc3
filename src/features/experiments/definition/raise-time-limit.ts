import { checkText } from '#src/editor/check-text.ts'
import { locator } from '#src/editor/positions.ts'

const maxDepth = 50

/**
 * Raises `limits.maxTimeSeconds` and changes nothing else. A definition with a higher limit, or one that can't be
 * parsed, is returned unchanged.
 */
export function raiseTimeLimit(text: string, seconds: number): string {
  const limits = readLimits(text)
  if (limits === null || (limits.maxTimeSeconds ?? 0) >= seconds) return text
  const raised = limits.maxTimeSeconds === undefined ? addLimit(text, seconds) : replaceLimit(text, seconds)
  return readLimits(raised)?.maxTimeSeconds === seconds ? raised : text
}

const readLimits = (text: string) => {
  const { definition } = checkText(text)
  return definition && (definition.limits ?? {})
}

function replaceLimit(text: string, seconds: number) {
  const { from, to } = locator(text, maxDepth)(['limits', 'maxTimeSeconds'])
  return `${text.slice(0, from)}${seconds}${text.slice(to)}`
}

/** `limits` has no other fields, so `limits` without a time limit is empty and can be replaced. */
function addLimit(text: string, seconds: number) {
  const limits = `limits:\n  maxTimeSeconds: ${seconds}`
  if (/^limits:/m.test(text)) return text.replace(/^limits:.*$/m, limits)
  return `${text.replace(/\n*$/, '\n')}${limits}\n`
}
